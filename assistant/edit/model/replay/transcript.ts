import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { parseOrThrow } from "../../../../robot/wire/validation/parse-or-throw.ts";
import { CONVENTIONS, FORMATS } from "../../formats/format.ts";
import { ChatMessage, Sample } from "../../sample.ts";

/** The expected outcome of an answer. */
const Outcome = z.discriminatedUnion("status", [
  z.object({ status: z.literal("applied"), result: z.string(), explanation: z.string().default("") }),
  z.object({ status: z.literal("no-change"), explanation: z.string().default("") }),
  z.object({ status: z.literal("refused"), code: z.string() }),
]);

/**
 * A prompt and its answer, byte for byte. Edits also have the sample that the prompt was rendered from and the expected
 * outcome; a recording from a server may have the two texts alone.
 */
export const Transcript = z.object({
  title: z.string(),
  prompt: z.string(),
  response: z.string(),
  edit: z
    .object({
      format: z.enum(FORMATS),
      convention: z.enum(CONVENTIONS).default("inclusive"),
      sample: Sample,
      outcome: Outcome,
    })
    .optional(),
  chat: z.object({ messages: z.array(ChatMessage), reply: z.string() }).optional(),
});
export type Transcript = z.infer<typeof Transcript>;

/**
 * Loads the transcripts of a folder, one JSON file each, by file name.
 * @throws WorkbenchError `bad-request` when the folder cannot be read or a file is not a transcript
 */
export async function loadTranscripts(folder: string): Promise<Map<string, Transcript>> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new WorkbenchError(
      "bad-request",
      `${folder} is not a folder that can be read; name a folder of transcripts, for example fixtures/transcripts.`,
      { cause },
    );
  });
  const transcripts = new Map<string, Transcript>();
  for (const name of names.filter((each) => each.endsWith(".json")).sort()) {
    const path = join(folder, name);
    transcripts.set(
      name,
      parseOrThrow(Transcript, readJson(path, await readFile(path, "utf8")), `${path}: transcript`),
    );
  }
  return transcripts;
}

function readJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new WorkbenchError("bad-request", `${path} is not JSON.`, { cause });
  }
}
