import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { readVerdict } from "./app-verdict.ts";

const hub = {
  url: "http://hub",
  files: async () => [{ path: "robot-app-verdict/verdict.json", size: 10 }],
  content: async function* () {
    yield Buffer.from(verdict("conformant"));
  },
};

const verdict = (outcome: string, more = {}) =>
  JSON.stringify({
    format: "robot-app-verdict",
    verdict: outcome,
    startedAt: "2026-01-02T03:04:05.000Z",
    wheel: "w1",
    only: null,
    ...more,
  });

async function folderWith(files: Record<string, string>): Promise<string> {
  const root = temporaryFolder("verdict-");
  for (const [name, text] of Object.entries({ "my_app/README.md": "", ...files })) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
  return path.join(root, "my_app");
}

const local = (from: string, wheel = "w1") =>
  readVerdict({ name: "my_app", origin: { kind: "local", from, revision: null, wheel } }, hub);

const PUBLISHED = "my_app/robot-app-verdict/verdict.json";
const CERTIFIED = "certification/my_app/verdict.json";

test("the verdict is that of the installed files, where there is one", async () => {
  const folder = await folderWith({
    [PUBLISHED]: verdict("conformant"),
    [CERTIFIED]: verdict("not-conformant", { wheel: "w2" }),
  });
  const at = Date.UTC(2026, 0, 2, 3, 4, 5);
  expect(await local(folder)).toEqual({ verdict: "conformant", at, of_installed: true });
  expect(await local(folder, "w2")).toEqual({ verdict: "not-conformant", at, of_installed: true });
  expect(await local(folder, "w3")).toMatchObject({ of_installed: false });
});

test.each([
  ["no file", {}],
  ["no JSON", { [PUBLISHED]: "{" }],
  ["another format", { [PUBLISHED]: verdict("conformant", { format: "x" }) }],
  ["a part of the requirements", { [PUBLISHED]: verdict("conformant", { only: ["STOP-001"] }) }],
  ["an unknown verdict", { [PUBLISHED]: verdict("excellent") }],
])("%s is no verdict", async (_, files) => {
  expect(await local(await folderWith(files))).toBeNull();
});

test("the verdict of a space is read at the revision that is installed; a hub that does not answer has none", async () => {
  const origin = { kind: "hf_space", from: "http://hub/spaces/ada/my_app", revision: "a1", wheel: "w1" } as const;
  expect(await readVerdict({ name: "my_app", origin }, hub)).toMatchObject({
    verdict: "conformant",
    of_installed: true,
  });
  const silent = { ...hub, files: () => Promise.reject(new Error("no answer")) };
  expect(await readVerdict({ name: "my_app", origin }, silent)).toBeNull();
});
