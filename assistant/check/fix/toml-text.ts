/**
 * Edits of TOML texts that keep order, and comments but for one behind what they change. They read tables with headers of their own, as in nearly every
 * pyproject.toml; the caller checks the result, so that an unusual text is left as it is.
 */

const HEADER = /^\[{1,2}([^[\]]+)\]{1,2}\s*(?:#.*)?$/;

/** The lines of a table: its header, and the one after its last key; undefined when it has no header. */
function findTable(lines: readonly string[], name: string): { start: number; end: number } | undefined {
  const start = lines.findIndex((line) => headerOf(line) === name);
  if (start < 0) return undefined;
  const next = lines.findIndex((line, index) => index > start && headerOf(line) !== undefined);
  let end = next < 0 ? lines.length : next;
  while (end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] ?? "")) end -= 1;
  return { start, end };
}

/** The name in a table's header, without the quotes of its parts; undefined for any other line. */
function headerOf(line: string): string | undefined {
  return HEADER.exec(line.trim())?.[1]?.replace(/["'\s]/g, "");
}

/** The line of a key in a table, from 1; null when the table has no header or not this key. */
export function lineNumberOfKey(text: string, table: string, key: string): number | null {
  const lines = text.split("\n");
  const found = findTable(lines, table);
  if (found === undefined) return null;
  const at = lines.findIndex((line, index) => index > found.start && index < found.end && keyOf(line) === key);
  return at < 0 ? null : at + 1;
}

export function renameTable(text: string, from: string, to: string): string {
  return edit(text, (lines) => lines.map((line) => (headerOf(line) === from ? `[${to}]` : line)));
}

/**
 * Sets a key of a table to a value, as TOML writes it; makes the table at the end when it is missing.
 * @param old the key that it replaces; the same key unless given
 */
export function setKey(text: string, table: string, key: string, value: string, old = key): string {
  return edit(text, (lines) => {
    const found = findTable(lines, table);
    const line = `${key} = ${value}`;
    if (found === undefined) {
      const end = lines.findLastIndex((each) => each.trim() !== "") + 1;
      return [...lines.slice(0, end), ...(end > 0 ? [""] : []), `[${table}]`, line, ""];
    }
    const at = lines.findIndex((each, index) => index > found.start && index < found.end && keyOf(each) === old);
    if (at >= 0) return lines.with(at, line);
    return lines.toSpliced(found.end, 0, line);
  });
}

const keyOf = (line: string): string | undefined => /^\s*["']?([\w.-]+)["']?\s*=/.exec(line)?.[1];

/** Edits the lines of a text. Lines keep their ends; new ones end as the first line does. */
function edit(text: string, change: (lines: readonly string[]) => readonly string[]): string {
  const given = text.split("\n");
  const before = given.map((line) => line.replace(/\r$/, ""));
  const after = change(before);
  const added = after.length - before.length;
  const changed = after.findIndex((line, at) => line !== before[at]);
  const first = changed < 0 ? after.length : changed;
  const endsWithCr = (at: number): boolean => {
    const isNew = at >= first && at < first + added;
    const source = at < first ? at : at - added;
    // The last line has no end of its own.
    return (given[isNew || source === given.length - 1 ? 0 : source] ?? "").endsWith("\r");
  };
  return after.map((line, at) => (at < after.length - 1 && endsWithCr(at) ? `${line}\r` : line)).join("\n");
}
