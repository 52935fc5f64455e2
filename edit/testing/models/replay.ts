import { onTestFinished } from "vitest";
import { type ReplayOptions, type ReplayServer, startReplayServer } from "../replay/server.ts";
import { answersOf } from "../replay/transcript.ts";

/** A replay server with these answers by their prompts, until the test ends. */
export async function replay(
  answers: Readonly<Record<string, string>>,
  more: Partial<ReplayOptions> = {},
): Promise<ReplayServer> {
  const transcripts = Object.entries(answers).map(([prompt, response]) => ({ prompt, response }));
  const server = await startReplayServer({ answerTo: answersOf(transcripts), ...more });
  onTestFinished(() => server.close());
  return server;
}
