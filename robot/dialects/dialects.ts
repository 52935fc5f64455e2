import { type Dialect, REACHY_MINI, ROBOT } from "./table.ts";

export type { Dialect } from "./table.ts";
export { REACHY_MINI } from "./table.ts";

/** All dialects; the first is the contract's own, which stands where an app names none. */
export const DIALECTS: readonly [Dialect, ...Dialect[]] = [ROBOT, REACHY_MINI];
export const DEFAULT_DIALECT: Dialect = DIALECTS[0];
export const DIALECT_IDS: readonly string[] = DIALECTS.map(({ id }) => id);

/** The dialect with an id; undefined when there is none. */
export function dialectById(id: unknown): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect.id === id);
}

/** The dialect of an entry-point group; undefined when robot apps are in no such group. */
export function dialectOfGroup(group: string): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect.group === group);
}

/** The dialects whose tag is among those of a space, in the order of the table. */
export function dialectsOfTags(tags: readonly unknown[]): Dialect[] {
  return DIALECTS.filter(({ tag }) => tags.includes(tag));
}

/** The dialect of a client of the SDK socket; the default one for a client that no dialect knows. */
export function dialectOfClient(headers: Readonly<Record<string, unknown>>): Dialect {
  const agent = String(headers["user-agent"] ?? "");
  return (
    DIALECTS.find(({ clientHeader }) => headers[clientHeader] !== undefined) ??
    DIALECTS.find(({ oldUserAgent }) => oldUserAgent?.test(agent)) ??
    DEFAULT_DIALECT
  );
}

/** Lists alternatives for people: `a`, `a or b`, `a, b or c`. */
export function listOfDialects(what: (dialect: Dialect) => string): string {
  const names = DIALECTS.map(what);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
