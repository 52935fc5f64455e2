import { InvalidArgumentError } from "commander";

/** Reads the text of an option. @throws InvalidArgumentError what is allowed, and an example */
export type ReadValue<T> = (text: string) => T;

const refuse = (allowed: string, example: string): never => {
  throw new InvalidArgumentError(`Use ${allowed}, for example ${example}.`);
};

/** A whole number from `least` to `most`. @param example the option with a good value: `--port 8000` */
export function wholeNumber(least: number, most: number, example: string): ReadValue<number> {
  return (text) => {
    const value = Number(text);
    const fits = /^\d+$/.test(text) && value >= least && value <= most;
    return fits ? value : refuse(`a whole number from ${least} to ${most}`, example);
  };
}

/** Seconds above 0 and at most `most`. */
export function seconds(most: number, example: string): ReadValue<number> {
  return (text) => {
    const value = Number(text);
    return value > 0 && value <= most ? value : refuse(`seconds above 0 and at most ${most}`, example);
  };
}

/** Any text but a blank one, which is what an unset variable of a script becomes. @param what `a folder` */
export const words = (what: string, example: string): ReadValue<string> => matching(/\S/, what, example);

/** A text of a form. */
export function matching(form: RegExp, what: string, example: string): ReadValue<string> {
  return (text) => (form.test(text) ? text : refuse(what, example));
}

/** The same for an option that may be given several times. */
export function several<T>(read: ReadValue<T>): (text: string, before: readonly T[]) => readonly T[] {
  return (text, before) => [...before, read(text)];
}
