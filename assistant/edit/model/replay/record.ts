import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { hashText } from "../../apply/apply.ts";
import type { ModelClient } from "../types.ts";
import type { Transcript } from "./transcript.ts";

/** Finds recorded answers by prompt. A prompt that ends with the beginning of its answer gets the rest of the answer. */
export function answersOf(transcripts: Iterable<Transcript>): (prompt: string) => Promise<string | undefined> {
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

/** Sends prompts without a recorded answer to a real model and saves its answers as transcripts in a folder. */
export function recordingFrom(
  client: ModelClient,
  folder: string,
  known: (prompt: string) => Promise<string | undefined>,
  maxTokens: number,
): (prompt: string) => Promise<string> {
  return async (prompt) => {
    const answer = await known(prompt);
    if (answer !== undefined) return answer;
    const { text } = await client.complete({ messages: [], prompt, explain: true, maxTokens });
    const name = `recorded-${hashText(prompt).slice(0, 12)}.json`;
    const transcript: Transcript = { title: `Recorded from ${client.model}`, prompt, response: text };
    await writeFileAtomic(join(folder, name), `${JSON.stringify(transcript, null, 2)}\n`);
    return text;
  };
}
