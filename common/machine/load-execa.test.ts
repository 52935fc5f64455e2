import { expect, test } from "vitest";
import { cancelledBy, loadExeca } from "./load-execa.ts";

test("no program is started with a signal that has aborted", () => {
  const reason = new Error("Ctrl-C");
  expect(() => cancelledBy(AbortSignal.abort(reason))).toThrow(reason);
  expect(cancelledBy()).toEqual({});
});

test("a signal that aborts later ends the program", async () => {
  const abort = new AbortController();
  const execa = await loadExeca();
  const running = execa(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
    ...cancelledBy(abort.signal),
    reject: false,
  });
  abort.abort();
  expect(await running).toMatchObject({ isCanceled: true });
});
