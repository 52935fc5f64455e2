import { constants } from "node:os";
import { expect, test } from "vitest";
import { withSystemCode } from "./system-error.ts";

const ABSENT = ["ENOENT", "ESRCH", "ENOTDIR"];

test.each(Object.keys(constants.errno))(
  "%s of a file is said with what to do, unless it says that the file is absent",
  (code) => {
    const error = Object.assign(new Error(code), { code, syscall: "open", path: "/data/x" });
    const known = withSystemCode(error) as { code: string; message: string };
    if (ABSENT.includes(code)) return expect(known).toBe(error);
    if (["ENOSPC", "EDQUOT"].includes(code)) return expect(known.code).toBe("disk-full");
    expect([known.code, known.message]).toEqual([
      "system-refused",
      expect.stringMatching(/^\/data\/x .*\(E\w+\)\. .*try again/),
    ]);
  },
);

test.each([
  [Object.assign(new Error("x"), { code: "ECONNREFUSED", syscall: "connect", address: "127.0.0.1" })],
  [new TypeError("x")],
  ["text"],
])("other errors are left as they are: %s", (error) => {
  expect(withSystemCode(error)).toBe(error);
});

test("without descriptors a program cannot be started: the remedy is not another environment", () => {
  const error = Object.assign(new Error("spawn python EMFILE"), { code: "EMFILE", syscall: "spawn python" });
  expect((withSystemCode(error) as Error).message).toMatch(
    /^spawn python of the system fails \(EMFILE\)\. .*ulimit -n 4096/,
  );
});
