import { z } from "zod";
import { FORMATS } from "../../../edit/formats/format.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Terminal } from "../../terminal.ts";

/** A format's name in JSON lines, in upper or lower case. */
export const FormatName = z.string().toLowerCase().pipe(z.enum(FORMATS));

const NEWLINE = 0x0a;

/** Yields the lines of a byte stream without their "\n". Only "\n" ends a line: JSON may contain U+2028. */
export async function* byteLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = [];
  for await (const chunk of source) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at)]);
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}

/**
 * Answers each JSON line of the input with one JSON line, in order. An invalid line gets
 * `{"status": "error", "error": {"code", "detail"}}`.
 */
export async function answerLines(terminal: Terminal, answer: (value: unknown) => unknown): Promise<void> {
  let number = 0;
  for await (const bytes of byteLines(terminal.stdin)) {
    number += 1;
    terminal.signal.throwIfAborted();
    terminal.out(`${JSON.stringify(await answerLine(bytes, number, answer))}\n`);
  }
}

async function answerLine(bytes: Uint8Array, number: number, answer: (value: unknown) => unknown): Promise<unknown> {
  try {
    return await answer(parseLine(bytes));
  } catch (error) {
    const code = error instanceof WorkbenchError ? error.code : "internal";
    const detail = `Line ${number}: ${error instanceof Error ? error.message : String(error)}`;
    return { status: "error", error: { code, detail } };
  }
}

function parseLine(bytes: Uint8Array): unknown {
  if (/^\s*$/.test(Buffer.from(bytes).toString("latin1")))
    throw new WorkbenchError("bad-request", "The line is empty; write one JSON object a line, as --help shows.");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message : "it is not UTF-8";
    throw new WorkbenchError("bad-request", `This is not JSON: ${reason}. Write one object a line, as --help shows.`, {
      cause,
    });
  }
}
