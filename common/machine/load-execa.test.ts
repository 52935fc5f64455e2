import { expect, test } from "vitest";
import { cancelSignalOption, loadExeca } from "./load-execa.ts";

test("no program is started with a signal that has aborted", () => {
  const reason = new Error("Ctrl-C");
  expect(() => cancelSignalOption(AbortSignal.abort(reason))).toThrow(reason);
  expect(cancelSignalOption()).toEqual({});
});

test("a signal that aborts later ends the program", async () => {
  const abort = new AbortController();
  const execa = await loadExeca();
  const running = execa(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
    ...cancelSignalOption(abort.signal),
    reject: false,
  });
  abort.abort();
  expect(await running).toMatchObject({ isCanceled: true });
});
