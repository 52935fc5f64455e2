/**
 * What a function reports, as lines of JSON, until it settles.
 * @param run gets a function that adds a line; it must not reject
 */
export async function* eventLines<T>(run: (emit: (event: T) => void) => Promise<void>): AsyncGenerator<string> {
  const waiting: string[] = [];
  let wake = (): void => {};
  let hasEnded = false;
  const ended = run((event) => {
    waiting.push(`${JSON.stringify(event)}\n`);
    wake();
  }).finally(() => {
    hasEnded = true;
    wake();
  });
  while (true) {
    const lines = waiting.splice(0);
    if (lines.length > 0) yield lines.join("");
    else if (hasEnded) return await ended;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}
