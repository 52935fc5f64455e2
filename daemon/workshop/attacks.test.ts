import { readFileSync } from "node:fs";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WORKSHOP_SECRET_HEADER } from "../../robot/wire/workshop/access-secret.ts";
import type { WorkshopContents } from "../../robot/wire/workshop/workshop.ts";
import { type Answer, startTestDaemon } from "../http/testing/test-daemon.ts";
import { type EditedApp, MAIN, mainThatSays, SECRET, startEditedApp } from "./testing/edited-app.ts";

let edited: EditedApp;
beforeAll(async () => {
  edited = await startEditedApp();
  const outside = join(edited.folder, "../outside");
  await mkdir(outside);
  await writeFile(join(outside, "secret.py"), "PASSWORD = 1\n");
  await symlink(outside, join(edited.folder, "linked"));
  await symlink(join(outside, "secret.py"), join(edited.folder, "obedient/secret.py"));
  await mkdir(join(edited.folder, ".git/hooks"), { recursive: true });
  await writeFile(join(edited.folder, ".git/config"), "[core]\n");
  await writeFile(join(edited.folder, ".env"), "KEY=1\n");
});
afterAll(() => edited.close());

const EVIL = mainThatSays("evil");
const KEEP = { files: [{ name: MAIN, text: EVIL, hash: "" }] };
/** Every request that reads, runs or writes code. */
const REQUESTS: [path: string, body?: object][] = [
  ["files"],
  ["check", { files: [] }],
  ["try", { files: [{ name: MAIN, text: EVIL }] }],
  ["ask", { file: MAIN, files: [], instruction: "Be evil." }],
  ["keep", KEEP],
  ["undo", { edit: null }],
  ["certify", { tier: "whole" }],
  ["certify/cancel", {}],
];
const codeOf = ({ status, text }: Answer): [number, string] => [status, JSON.parse(text).code];

afterAll(async () => {
  expect(readFileSync(join(edited.folder, MAIN), "utf8")).toBe(mainThatSays("kept"));
});

test.each(REQUESTS)(
  "%s is refused without the secret, with another one, and with one at another place",
  async (path, body) => {
    const without = (headers: Record<string, string>) =>
      edited.daemon.request(`/api/workshop/${path}?secret=${SECRET}&${WORKSHOP_SECRET_HEADER}=${SECRET}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { ...(body && { "content-type": "application/json" }), ...headers },
        ...(body && { body: JSON.stringify({ ...body, secret: SECRET }) }),
      });
    for (const headers of [
      {},
      { [WORKSHOP_SECRET_HEADER]: "" },
      { [WORKSHOP_SECRET_HEADER]: `${SECRET}x` },
      { authorization: `Bearer ${SECRET}` },
      { cookie: `${WORKSHOP_SECRET_HEADER}=${SECRET}; robot_token=${SECRET}` },
    ] as Record<string, string>[])
      expect(codeOf(await without(headers))).toEqual([403, "workshop-secret"]);
  },
);

test("without the secret, a body is refused before it is read", async () => {
  const answer = await edited.daemon.request("/api/workshop/keep", {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": "3900000" },
    body: "{",
  });
  expect(codeOf(answer)).toEqual([403, "workshop-secret"]);
});

test.each([
  [{ host: "evil.example" }, 421, "host-refused"],
  [{ origin: "http://evil.example" }, 403, "origin-refused"],
  [{ origin: "null" }, 403, "origin-refused"],
  [{ "sec-fetch-site": "cross-site" }, 403, "origin-refused"],
  [{ "sec-fetch-site": "same-site" }, 403, "origin-refused"],
] as [Record<string, string>, number, string][])(
  "%j is refused with the secret, too",
  async (headers, status, code) => {
    for (const [path, body] of REQUESTS) expect(codeOf(await edited.send(path, body, headers))).toEqual([status, code]);
  },
);

test("a preflight of another site is not answered with permission", async () => {
  const { headers } = await edited.daemon.request("/api/workshop/keep", {
    method: "OPTIONS",
    headers: {
      origin: "http://evil.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": WORKSHOP_SECRET_HEADER,
    },
  });
  expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
});

describe.each([
  "../outside/secret.py",
  "/etc/passwd",
  "obedient/../../outside/secret.py",
  "obedient/./main.py",
  "obedient//main.py",
  "obedient\\main.py",
  "obedient/main.py\0",
  "",
  ".env",
  ".git/config",
  ".git/hooks/pre-commit",
  ".vscode/tasks.json",
  ".github/workflows/x.yml",
  "__pycache__/main.py",
  "obedient/__pycache__/x.py",
  "linked/secret.py",
  "linked/new.py",
  "obedient/secret.py",
  "OBEDIENT/new.py",
  "obedient",
  "obedient/main.py/x.py",
  "sitecustomize.py",
  "usercustomize.py",
  "evil.pth",
  "conftest.py",
  "setup.py",
  "Setup.PY",
  "tests/conftest.py",
  "a/\u202Eyp.niam",
  "\u200C.git/config",
  "x".repeat(501),
  `${"x".repeat(300)}.py`,
])("the path %j", (name) => {
  test.each(["keep", "try"])("is refused to %s", async (path) => {
    const before = (await readdir(join(edited.folder, ".."), { recursive: true })).sort();
    const [status, code] = codeOf(await edited.send(path, { files: [{ name, text: "evil\n", hash: "" }] }));
    expect([409, 422]).toContain(status);
    expect(["edit-refused", "bad-request"]).toContain(code);
    expect((await readdir(join(edited.folder, ".."), { recursive: true })).sort()).toEqual(before);
    expect(readFileSync(join(edited.folder, "../outside/secret.py"), "utf8")).toBe("PASSWORD = 1\n");
  });
});

test("links, hidden files and what tools make are not read", async () => {
  const { files } = await edited.json<WorkshopContents>("files");
  expect(files.map(({ name }) => name)).toEqual(["obedient/__init__.py", MAIN, "pyproject.toml"]);
  expect(JSON.stringify(files)).not.toMatch(/PASSWORD|KEY=/);
});

test("an edit that is not the last one is not undone", async () => {
  expect(codeOf(await edited.send("undo", { edit: "2000-01-01T00:00:00.000Z" }))).toEqual([409, "edit-refused"]);
});

test("without a workshop there is nothing to edit with, and the status says so", async () => {
  const daemon = await startTestDaemon([]);
  try {
    expect(await daemon.json("/api/workshop")).toEqual({ app: null });
    for (const [path, body] of REQUESTS) {
      const answer = await daemon.request(`/api/workshop/${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { [WORKSHOP_SECRET_HEADER]: SECRET },
      });
      expect(codeOf(answer)).toEqual([403, "workshop-secret"]);
    }
  } finally {
    await daemon.close();
  }
});

test("on the network the token alone opens no workshop, and the secret alone neither", async () => {
  const workshop = { folder: edited.folder, secret: SECRET };
  const daemon = await startTestDaemon([], { token: "a-token", workshop });
  const get = (headers: Record<string, string>) => daemon.request("/api/workshop/files", { headers });
  try {
    const token = { authorization: "Bearer a-token" };
    expect(codeOf(await get(token))).toEqual([403, "workshop-secret"]);
    expect(codeOf(await get({ [WORKSHOP_SECRET_HEADER]: SECRET }))).toEqual([401, "token-required"]);
    expect((await get({ ...token, [WORKSHOP_SECRET_HEADER]: SECRET })).status).toBe(200);
  } finally {
    await daemon.close();
  }
});
