// One table of everything that ran.

/** @typedef {{ name: string, status: "ok" | "not here" | "absent" | "failed", note: string }} Row */

const NOTE_WIDTH = 96;

/** @type {Row[]} */
const rows = [];

/** @param {Row} row */
export function add(row) {
  rows.push(row);
  const note = row.note.length > NOTE_WIDTH ? `${row.note.slice(0, NOTE_WIDTH - 1)}…` : row.note;
  console.log(`  ${row.status.padEnd(8)}  ${row.name.padEnd(48)}  ${note}`.trimEnd());
}

/** @param {string} title */
export const section = (title) => console.log(`\n${title}`);

/** Counts by status. */
export function counts() {
  const count = (/** @type {Row["status"]} */ status) => rows.filter((row) => row.status === status).length;
  return { ok: count("ok"), notHere: count("not here"), failed: count("failed") };
}

/** What a row returns that this machine cannot show. */
export class NotHere {
  /** @param {string} why */
  constructor(why) {
    this.why = why;
  }
}

/**
 * Runs something and adds its row; the note is what it returns or why it failed.
 * @param {string} name
 * @param {() => Promise<string | NotHere>} work
 */
export async function row(name, work) {
  try {
    const note = await work();
    if (note instanceof NotHere) add({ name, status: "not here", note: note.why });
    else add({ name, status: "ok", note });
  } catch (error) {
    add({ name, status: "failed", note: error instanceof Error ? error.message.replaceAll("\n", " ") : String(error) });
  }
}
