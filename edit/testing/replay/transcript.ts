import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
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
const Transcript = z.object({
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

/** Loads the transcripts of a folder, one JSON file each, by file name. */
export async function loadTranscripts(folder: string): Promise<Map<string, z.infer<typeof Transcript>>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  return new Map(
    await Promise.all(
      names.map(
        async (name) => [name, Transcript.parse(JSON.parse(await readFile(join(folder, name), "utf8")))] as const,
      ),
    ),
  );
}

/** Finds recorded answers by prompt. A prompt that ends with the beginning of its answer gets the rest of the answer. */
export function answersOf(
  transcripts: Iterable<Pick<z.infer<typeof Transcript>, "prompt" | "response">>,
): (prompt: string) => Promise<string | undefined> {
  const answers = new Map<string, string>();
  for (const { prompt, response } of transcripts) answers.set(prompt, response);
  return async (prompt) => {
    const recorded = answers.get(prompt);
    if (recorded !== undefined) return recorded;
    for (const [start, answer] of answers) {
      const begun = prompt.startsWith(start) ? prompt.slice(start.length) : undefined;
      if (begun !== undefined && answer.startsWith(begun)) return answer.slice(begun.length);
    }
    return undefined;
  };
}
