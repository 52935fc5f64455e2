// One table of everything that ran.

export interface Row {
  name: string;
  status: "ok" | "not here" | "absent" | "failed";
  note: string;
}

const NOTE_WIDTH = 96;

const rows: Row[] = [];

export function add(row: Row) {
  rows.push(row);
  const note = row.note.length > NOTE_WIDTH ? `${row.note.slice(0, NOTE_WIDTH - 1)}…` : row.note;
  console.log(`  ${row.status.padEnd(8)}  ${row.name.padEnd(48)}  ${note}`.trimEnd());
}

/** Counts by status. */
export function counts() {
  const count = (status: Row["status"]) => rows.filter((row) => row.status === status).length;
  return { ok: count("ok"), notHere: count("not here"), failed: count("failed") };
}

/** What a row returns that this machine cannot show. */
export class NotHere {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** Runs something and adds its row; the note is what it returns or why it failed. */
export async function row(name: string, work: () => Promise<string | NotHere>) {
  try {
    const note = await work();
    if (note instanceof NotHere) add({ name, status: "not here", note: note.why });
    else add({ name, status: "ok", note });
  } catch (error) {
    add({ name, status: "failed", note: error instanceof Error ? error.message.replaceAll("\n", " ") : String(error) });
  }
}
