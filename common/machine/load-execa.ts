/** Loads execa once a program is run: its modules would take a tenth of a second of each start. */
export const loadExeca = async () => (await import("execa")).execa;

/** Milliseconds in which a program that is only asked, such as for its version, answers also on a slow or busy machine. */
export const PROGRAM_ANSWER_MS = 60_000;

/**
 * The options of execa that end a program when a signal aborts.
 * @throws the reason of a signal that has aborted. With it execa would end the program at once, and where there is no such
 *   program, Node sends the signal to process 0: to all processes of this one's group.
 */
export function cancelSignalOption(signal?: AbortSignal): { cancelSignal?: AbortSignal } {
  signal?.throwIfAborted();
  return signal === undefined ? {} : { cancelSignal: signal };
}
