import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ERRORS, problemOf, WorkbenchError } from "./errors.ts";

const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
const documented = [...page.matchAll(/^## (\S+)\n(\d{3})\./gm)].map(([, code, status]) => [code, Number(status)]);

describe("the error registry", () => {
  test("is documented, each code with its status", () => {
    expect(Object.fromEntries(documented)).toEqual(
      Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status])),
    );
  });

  test("shows the message of a WorkbenchError, and of no other error", () => {
    expect(problemOf(new WorkbenchError("app-not-found", "No app nope."))).toMatchObject({
      status: 404,
      code: "app-not-found",
      detail: "No app nope.",
      type: "/errors/app-not-found",
    });
    expect(JSON.stringify(problemOf(new Error("secret")))).not.toContain("secret");
  });
});
