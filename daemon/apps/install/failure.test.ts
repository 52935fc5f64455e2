import { expect, test } from "vitest";
import { jobFailure, toolFailure } from "./failure.ts";

// What pip says is proven with pip itself (install-app.test.ts); these are uv 0.13's own words.
test.each([
  [
    "dependency-conflict",
    /cause: Because c==1\.0 depends on a>=99 and a==3\.0/,
    `error: No solution found when resolving dependencies
  cause: Because c==1.0 depends on a>=99 and a==3.0, we can conclude that c==1.0 cannot be used.`,
  ],
  [
    "index-unreachable",
    /does not answer; check the network .*no-such-thing/,
    `error: Failed to fetch: http://127.0.0.1:9/simple/no-such-thing/
  cause: error sending request for url (http://127.0.0.1:9/simple/no-such-thing/)
  cause: client error (Connect)
  cause: tcp connect error
  cause: Connection refused (os error 111)`,
  ],
  ["disk-full", /The disk is full/, "error: failed to write to file: No space left on device (os error 28)"],
  ["install-failed", /^error: Something else \(uv pip install ended with 2\)$/, "error: Something else"],
])("uv's words mean %s", (code, message, printed) => {
  const error = toolFailure(printed.split("\n"), "uv pip install ended with 2");
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
});

test("a full disk shows in whatever writes next", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(jobFailure(full)).toMatchObject({ code: "disk-full" });
  const other = new Error("other");
  expect(jobFailure(other)).toBe(other);
});
