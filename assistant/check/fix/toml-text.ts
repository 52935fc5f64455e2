/**
 * Edits of TOML texts that keep comments and order. They read tables with headers of their own, as in nearly every
 * pyproject.toml; the caller checks the result, so that an unusual text is left as it is.
 */

const HEADER = /^\s*\[+\s*(.+?)\s*\]+\s*(?:#.*)?$/;

/** The lines of a table: its header and the first line after it; undefined when it has no header. */
function findTable(lines: readonly string[], name: string): { start: number; end: number } | undefined {
  const start = lines.findIndex((line) => headerOf(line) === name);
  if (start < 0) return undefined;
  const next = lines.findIndex((line, index) => index > start && HEADER.test(line));
  let end = next < 0 ? lines.length : next;
  while (end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] ?? "")) end -= 1;
  return { start, end };
}

/** The name in a table's header, without the quotes of its parts. */
function headerOf(line: string): string | undefined {
  return HEADER.exec(line)?.[1]?.replace(/["'\s]/g, "");
}

/** Renames a table. */
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

/** Edits the lines of a text and keeps its line ends. */
function edit(text: string, change: (lines: readonly string[]) => readonly string[]): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  return change(text.split(/\r?\n/)).join(end);
}
