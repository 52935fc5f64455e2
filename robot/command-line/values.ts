import { InvalidArgumentError } from "commander";

/** Parses the text of an option. @throws InvalidArgumentError with what is allowed, and an example */
export type ParseOption<T> = (text: string) => T;

/** Refuses a value. @throws InvalidArgumentError always */
export const reject = (allowed: string, example: string): never => {
  throw new InvalidArgumentError(`Use ${allowed}, for example ${example}.`);
};

/** A whole number from `min` to `max`. @param example the option with a valid value: `--port 8000` */
export function wholeNumber(min: number, max: number, example: string): ParseOption<number> {
  return (text) => {
    const value = Number(text);
    const isValid = /^\d+$/.test(text) && value >= min && value <= max;
    return isValid ? value : reject(`a whole number from ${min} to ${max}`, example);
  };
}

/** Seconds above 0 and at most `max`. */
export function seconds(max: number, example: string): ParseOption<number> {
  return (text) => {
    const value = Number(text);
    return value > 0 && value <= max ? value : reject(`seconds above 0 and at most ${max}`, example);
  };
}

/** Volts of a power supply, 0 to 12. */
export function volts(example: string): ParseOption<number> {
  return (text) => {
    const value = Number(text);
    return /\d/.test(text) && value >= 0 && value <= 12 ? value : reject("volts from 0 to 12", example);
  };
}

/** A text that is not blank, as an unset variable of a script is. @param what names it: `a folder` */
export const nonEmptyText = (what: string, example: string): ParseOption<string> => textMatching(/\S/, what, example);

/** A text that matches a pattern. */
export function textMatching(form: RegExp, what: string, example: string): ParseOption<string> {
  return (text) => (form.test(text) ? text : reject(what, example));
}

/** An address of HTTP with a host. */
export const webAddress = (example: string): ParseOption<string> =>
  textMatching(/^https?:\/\/[^/\s]+/, "an address that begins with http:// or https://", example);

/** For an option that may be given several times. */
export function repeatable<T>(read: ParseOption<T>): (text: string, before?: readonly T[]) => readonly T[] {
  return (text, before = []) => [...before, read(text)];
}
