import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { listSpaces } from "@huggingface/hub";
import { expect, onTestFinished, test } from "vitest";
import { runProgram } from "../program.ts";
import type { Terminal } from "../terminal.ts";

test("the hub is open from the moment it prints its address until Ctrl-C", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "hub-command-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const interrupt = new AbortController();
  let printed = "";
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const terminal = {
    out: (text: string) => {
      printed += text;
      open();
    },
    err: (text: string) => {
      printed += text;
      open();
    },
    exit: () => {},
    env: { PATH: process.env.PATH },
    cwd: folder,
    signal: interrupt.signal,
    now: () => new Date(),
  } as unknown as Terminal;
  const seed = path.resolve("fixtures/hub");
  const ended = runProgram(["hub", "--port", "0", "--data-dir", "repositories", "--seed", seed], "1.0.0", terminal);
  await opened;
  expect(printed).toContain("hf_local_write  maker, write");
  const hubUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? "";
  expect((await listSpaces({ hubUrl, search: { owner: "maker" } }).next()).value?.name).toBe("maker/look_around");
  interrupt.abort();
  await ended;
  await expect(listSpaces({ hubUrl }).next()).rejects.toThrow();
});
