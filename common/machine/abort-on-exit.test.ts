import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { abortOnExit } from "./abort-on-exit.ts";

async function reasonOf(command: readonly [string, ...string[]]): Promise<string> {
  const [file, ...args] = command;
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const signal = abortOnExit(child, "the program", () => output);
  await once(signal, "abort");
  return (signal.reason as Error).message;
}

test.each([
  [["sh", "-c", "echo why; exit 3"], /^the program ended with 3:\nwhy/],
  [["sh", "-c", "kill -9 $$"], /^the program ended with SIGKILL/],
  // Another process holds its output.
  [["sh", "-c", "echo why; sleep 5 & exit 4"], /^the program ended with 4:\nwhy/],
  [["/no/such/program"], /ENOENT/],
] as const)("%j aborts the signal with how it ended and what it printed", async (command, reason) => {
  expect(await reasonOf(command)).toMatch(reason);
});
