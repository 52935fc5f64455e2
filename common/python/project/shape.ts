/** A value that a build backend refuses. */
export interface ProjectFault {
  /** The keys that lead to the value, with indexes of lists: `["project", "dependencies", 0]`. */
  at: readonly (string | number)[];
  value: unknown;
  /** What the backend says about it. */
  says: string;
  /** What is right, as a sentence with an example. */
  advice: string;
}

type Path = ProjectFault["at"];
export type Table = Readonly<Record<string, unknown>>;

/** Says what is wrong about a value. */
export type Shape = (value: unknown, at: Path) => readonly ProjectFault[];

/** `project.dependencies[0]` */
export const pathText = (at: Path): string =>
  at.map((key, index) => (typeof key === "number" ? `[${key}]` : `${index > 0 ? "." : ""}${key}`)).join("");

export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The value at a path of keys; undefined when there is none. */
export function valueAt(table: Table, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isTable(inner) ? inner[key] : undefined), table);
}

/** The texts of a list; none for any other value. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];

const typeFault = (at: Path, value: unknown, type: string, advice: string): ProjectFault[] => [
  { at, value, says: `\`${pathText(at)}\` must be ${type}`, advice },
];

const lastKey = (at: Path): string => String(at.findLast((key) => typeof key === "string"));

export const text =
  (isRight: (value: string) => boolean = () => true, format = "", advice = ""): Shape =>
  (value, at) => {
    if (typeof value !== "string")
      return typeFault(at, value, "string", advice || `Write a text in quotes: ${lastKey(at)} = "...".`);
    return isRight(value) ? [] : typeFault(at, value, format, advice);
  };

export const truth: Shape = (value, at) =>
  typeof value === "boolean" ? [] : typeFault(at, value, "boolean", `Write ${lastKey(at)} = true, or false.`);

export const listOf =
  (item: Shape, example = '["..."]'): Shape =>
  (value, at) => {
    if (!Array.isArray(value)) return typeFault(at, value, "array", `Write a list: ${lastKey(at)} = ${example}.`);
    return value.flatMap((each, index) => item(each, [...at, index]));
  };

/** A table with any keys that `isKey` admits. */
export const tableOf =
  (item: Shape, isKey: (key: string) => boolean = () => true, keys = ""): Shape =>
  (value, at) => {
    if (!isTable(value)) return typeFault(at, value, "object", `Write a table: [${pathText(at)}].`);
    const path = pathText(at);
    return Object.entries(value).flatMap(([key, each]) =>
      isKey(key)
        ? item(each, [...at, key])
        : [
            {
              at,
              value: key,
              says: `\`${path}\` keys must be named by ${keys}`,
              advice: "Rename it: letters, digits and _ always do.",
            },
          ],
    );
  };

/** A table with these keys alone, of which some have to be there. */
export const tableWith =
  (fields: Readonly<Record<string, Shape>>, required: readonly string[] = [], isClosed = true): Shape =>
  (value, at) => {
    if (!isTable(value)) return typeFault(at, value, "object", `Write a table: [${pathText(at)}].`);
    const path = pathText(at);
    const missing = required.filter((key) => value[key] === undefined);
    return [
      ...missing.map((key) => ({
        at: [...at, key],
        value: undefined,
        says: `\`${path}\` must contain ['${key}'] properties`,
        advice: `Write ${key} under [${path}].`,
      })),
      ...Object.entries(value).flatMap(([key, each]) => {
        const field = fields[key];
        if (field !== undefined) return field(each, [...at, key]);
        const advice = `Remove it; known keys: ${Object.keys(fields).join(", ")}.`;
        return isClosed
          ? [{ at: [...at, key], value: each, says: `\`${path}\` must not contain {'${key}'} properties`, advice }]
          : [];
      }),
    ];
  };

export const oneOf =
  (...shapes: readonly Shape[]): Shape =>
  (value, at) => {
    const tried = shapes.map((shape) => shape(value, at));
    return tried.some((faults) => faults.length === 0) ? [] : (tried[0] ?? []);
  };
