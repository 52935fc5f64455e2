import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { answersOf } from "../replay/record.ts";
import { type ReplayOptions, type ReplayServer, startReplayServer } from "../replay/server.ts";

/** A replay server for the length of a test. */
export async function replay(
  answers: Readonly<Record<string, string>>,
  more: Partial<ReplayOptions> = {},
): Promise<ReplayServer> {
  const transcripts = Object.entries(answers).map(([prompt, response]) => ({ title: prompt, prompt, response }));
  const server = await startReplayServer({ answerTo: answersOf(transcripts), ...more });
  onTestFinished(() => server.close());
  return server;
}

/** Any HTTP server for the length of a test; returns its address. */
export async function anyServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
