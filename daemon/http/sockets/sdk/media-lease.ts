/** Whether a program has said that it uses camera and sound directly; shown in the status. */
export class MediaLease {
  #isReleased = false;

  get isReleased(): boolean {
    return this.#isReleased;
  }

  release(): void {
    this.#isReleased = true;
  }

  acquire(): void {
    this.#isReleased = false;
  }
}
