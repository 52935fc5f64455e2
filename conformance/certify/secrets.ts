import { WorkbenchError } from "../../robot/wire/errors.ts";

/** Values of secrets, with their names. */
export type Secrets = Readonly<Record<string, string>>;

/** Characters below which a value is part of many words: it could not be told from them. */
const SHORTEST = 4;

/**
 * The values of variables that the app is given.
 * @throws WorkbenchError `usage` for one that is not set, or too short to be kept out of the files
 */
export function readSecrets(names: readonly string[], env: NodeJS.ProcessEnv): Secrets {
  return Object.fromEntries(
    names.map((name) => {
      const value = env[name] ?? "";
      if (value.length < SHORTEST)
        throw new WorkbenchError(
          "usage",
          `--secret ${name}: the variable ${name} is ${value === "" ? "not set" : `shorter than ${SHORTEST} characters`}. Set it in the environment of this command; its value is never written.`,
        );
      return [name, value];
    }),
  );
}

/** A text with the names of secrets in place of their values, also where they are written as JSON or in an address. */
export function withoutSecrets(text: string, secrets: Secrets): string {
  return Object.entries(secrets).reduce((rest, [name, value]) => {
    const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
    return forms.reduce((each, form) => each.replaceAll(form, `[${name}]`), rest);
  }, text);
}

/** The same for all texts of a value that is written as JSON. */
export function redact<T>(value: T, secrets: Secrets): T {
  if (Object.keys(secrets).length === 0) return value;
  const redacted = (each: unknown): unknown => {
    if (typeof each === "string") return withoutSecrets(each, secrets);
    if (Array.isArray(each)) return each.map(redacted);
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(
      Object.entries(each).map(([key, inner]) => [withoutSecrets(key, secrets), redacted(inner)]),
    );
  };
  return redacted(value) as T;
}
