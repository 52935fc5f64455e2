import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { read } from "../../../robot/wire/read.ts";
import { CONVENTIONS, FORMATS } from "../formats/format.ts";
import { ChatMessage, Sample } from "../sample.ts";

/** What has to come of an answer. */
const Outcome = z.discriminatedUnion("status", [
  z.object({ status: z.literal("applied"), result: z.string(), explanation: z.string().default("") }),
  z.object({ status: z.literal("no-change"), explanation: z.string().default("") }),
  z.object({ status: z.literal("refused"), code: z.string() }),
]);

/**
 * One exchange with a model: the text it was given, byte for byte, and the text it went on with. Edits say what they
 * were rendered from and what must come of them; a recording from a server may have the two texts alone.
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
 * The transcripts of a folder, one JSON file each, by file name.
 * @throws WorkbenchError `bad-request` for a folder or a file that is none
 */
export async function loadTranscripts(folder: string): Promise<Map<string, Transcript>> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new WorkbenchError(
      "bad-request",
      `${folder} is no folder that can be read; name one of transcripts, for example fixtures/transcripts.`,
      { cause },
    );
  });
  const transcripts = new Map<string, Transcript>();
  for (const name of names.filter((each) => each.endsWith(".json")).sort()) {
    const path = join(folder, name);
    transcripts.set(name, read(Transcript, readJson(path, await readFile(path, "utf8")), `${path}: transcript`));
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
