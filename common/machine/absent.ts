const codeOf = (error: unknown): unknown => Object(error).code;

/** What the system says where there is no such file or process. Anything else says that it could not be looked. */
const ABSENT: ReadonlySet<unknown> = new Set(["ENOENT", "ESRCH", "ENOTDIR"]);
export const isAbsent = (error: unknown): boolean => ABSENT.has(codeOf(error));

/** What the system says when it has no descriptor, memory or process left: the same attempt may succeed later. */
const EXHAUSTED: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "ENOBUFS"]);
export const isExhausted = (error: unknown): boolean => EXHAUSTED.has(codeOf(error));

const unless =
  (isThrown: (error: unknown) => boolean) =>
  <T>(value: T) =>
  (error: unknown): T => {
    if (isThrown(error)) throw error;
    return value;
  };

/** For `catch`: the value where there is nothing. Other errors are thrown: "cannot look" is never "is not there". */
export const ifAbsent = unless((error) => !isAbsent(error));

/** For `catch`, of what a program can do without: the value, whatever is wrong with the file. Throws when the system is exhausted. */
export const ifUnusable = unless(isExhausted);
