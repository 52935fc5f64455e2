import { onTestFinished } from "vitest";
import { answersOf } from "../../model/replay/record.ts";
import { type ReplayOptions, type ReplayServer, startReplayServer } from "../../model/replay/server.ts";

/** A replay server with these answers by their prompts, until the test ends. */
export async function replay(
  answers: Readonly<Record<string, string>>,
  more: Partial<ReplayOptions> = {},
): Promise<ReplayServer> {
  const transcripts = Object.entries(answers).map(([prompt, response]) => ({ title: prompt, prompt, response }));
  const server = await startReplayServer({ answerTo: answersOf(transcripts), ...more });
  onTestFinished(() => server.close());
  return server;
}
