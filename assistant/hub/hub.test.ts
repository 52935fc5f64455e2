import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  commit,
  createRepo,
  deleteRepo,
  downloadFile,
  listCommits,
  listFiles,
  listSpaces,
  repoExists,
  spaceInfo,
  whoAmI,
} from "@huggingface/hub";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Hub, openHub } from "./hub.ts";

const WRITE = "hf_local_write";
const READ = "hf_local_read";
const OTHER = "hf_local_other";

let folder: string;
let hub: Hub;
let defects: unknown[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hub-"));
  defects = [];
  hub = await openHub({
    dataDir: path.join(folder, "data"),
    port: 0,
    seed: path.resolve("fixtures/hub"),
    pageSize: 2,
    searchPath: process.env.PATH ?? "",
    now: Date.now,
    onDefect: (error) => defects.push(error),
  });
});
afterEach(async () => {
  await hub.close();
  await rm(folder, { recursive: true, force: true });
  expect(defects).toEqual([]);
});

const LOOK = { type: "space", name: "maker/look_around" } as const;
const SECRET = { type: "space", name: "maker/secret_wave" } as const;
const at = (accessToken?: string) => ({ hubUrl: hub.url, ...(accessToken ? { accessToken } : {}) });
const file = (content: string, name = "note.txt") =>
  ({ operation: "addOrUpdate", path: name, content: new Blob([content]) }) as const;

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = [];
  for await (const item of items) gathered.push(item);
  return gathered;
}

async function idsOf(search: NonNullable<Parameters<typeof listSpaces>[0]>["search"], accessToken?: string) {
  return (await all(listSpaces({ search: search ?? {}, ...at(accessToken) }))).map(({ name }) => name);
}

describe("the hub's own client library", () => {
  test("lists spaces by tag over all pages, private ones for their owner only", async () => {
    const open = ["maker/look_around", "maker/nod-along"];
    const tinkered = ["tinkerer/no_entry_point", "tinkerer/sdk_impostor", "tinkerer/wants_the_future"];
    expect(await idsOf({ tags: ["robot_python_app"] })).toEqual([...open, ...tinkered]);
    expect(await idsOf({ tags: ["robot_python_app"], owner: "maker" }, READ)).toEqual([...open, "maker/secret_wave"]);
    expect(await idsOf({ query: "NOD" })).toEqual(["maker/nod-along"]);
    expect(await idsOf({ owner: "tinkerer" })).toContain("tinkerer/not_tagged");
  });

  test("reads what a space is, its files and its history", async () => {
    const info = await spaceInfo({ name: LOOK.name, additionalFields: ["sha", "tags", "cardData"], ...at() });
    expect(info).toMatchObject({
      name: LOOK.name,
      private: false,
      sdk: "static",
      sha: expect.stringMatching(/^\w{40}$/),
    });
    expect(info.tags).toContain("robot_python_app");
    expect(info.cardData).toMatchObject({ title: "Look around" });

    const entries = await all(listFiles({ repo: LOOK, recursive: true, revision: info.sha, ...at() }));
    const main = entries.find((entry) => entry.path === "look_around/main.py");
    const source = await readFile("fixtures/hub/spaces/maker/look_around/look_around/main.py", "utf8");
    expect(main).toMatchObject({ type: "file", size: source.length });
    expect(entries.find((entry) => entry.path === "look_around")?.type).toBe("directory");
    expect(await all(listFiles({ repo: LOOK, path: "look_around", ...at() }))).toHaveLength(2);

    const got = await downloadFile({ repo: LOOK, path: "look_around/main.py", ...at() });
    expect(await got?.text()).toBe(source);
    expect(await downloadFile({ repo: LOOK, path: "look_around/other.py", ...at() })).toBeNull();
    const history = await all(listCommits({ repo: LOOK, ...at() }));
    expect(history).toMatchObject([{ oid: info.sha, title: "initial commit" }]);
  });

  test("makes a space, commits to it and takes it away", async () => {
    const repo = { type: "space", name: "maker/fresh" } as const;
    const { repoUrl } = await createRepo({ repo, visibility: "private", accessToken: WRITE, hubUrl: hub.url });
    expect(repoUrl).toBe(`${hub.url}/spaces/maker/fresh`);
    await expect(createRepo({ repo, accessToken: WRITE, hubUrl: hub.url })).rejects.toMatchObject({ statusCode: 409 });

    const title = "Add a note";
    const made = await commit({ repo, title, operations: [file("one")], ...at(WRITE) });
    expect(made?.commit.oid).toMatch(/^\w{40}$/);
    await commit({ repo, title: "Replace it", operations: [file("two"), file("x", "a b/ü.txt")], ...at(WRITE) });
    await commit({ repo, title: "Clear", operations: [{ operation: "delete", path: "README.md" }], ...at(WRITE) });
    const paths = (await all(listFiles({ repo, recursive: true, ...at(WRITE) }))).map(({ path }) => path);
    expect(paths).toEqual(["a b", "a b/ü.txt", "note.txt"]);
    const old = { repo, path: "note.txt", revision: made?.commit.oid ?? "" };
    expect(await (await downloadFile({ ...old, ...at(WRITE) }))?.text()).toBe("one");

    expect(await repoExists({ repo, ...at(READ) })).toBe(true);
    expect(await repoExists({ repo, ...at() })).toBe(false);
    await deleteRepo({ repo, accessToken: WRITE, hubUrl: hub.url });
    expect(await repoExists({ repo, ...at(WRITE) })).toBe(false);
  });

  test("says whose token it is", async () => {
    expect(await whoAmI({ accessToken: READ, hubUrl: hub.url })).toMatchObject({
      name: "maker",
      auth: { accessToken: { role: "read" } },
    });
  });

  test.each([
    ["a reading token", READ, 403],
    ["somebody else's token", OTHER, 403],
    ["no token", undefined, 401],
    ["an unknown token", "hf_guessed", 401],
  ])("may not commit with %s", async (_, token, statusCode) => {
    const attempt = commit({ repo: LOOK, title: "x", operations: [file("x")], ...at(token) });
    await expect(attempt).rejects.toMatchObject({ statusCode });
  });

  test("is told when somebody else was quicker", async () => {
    const { sha } = await spaceInfo({ name: LOOK.name, additionalFields: ["sha"], ...at() });
    const next = { repo: LOOK, title: "x", operations: [file("x")], parentCommit: sha, ...at(WRITE) };
    await commit(next);
    await expect(commit(next)).rejects.toMatchObject({ statusCode: 412 });
  });

  test.each(["../out.txt", "a/../../out.txt", "/etc/out.txt", ".git/hooks/x", "a\nb"])(
    "may not write to %j",
    async (name) => {
      const attempt = commit({ repo: LOOK, title: "x", operations: [file("x", name)], ...at(WRITE) });
      await expect(attempt).rejects.toMatchObject({ statusCode: 422 });
    },
  );

  test("cannot tell a private space from none without a token", async () => {
    for (const name of [SECRET.name, "maker/nothing"]) {
      await expect(spaceInfo({ name, ...at() })).rejects.toMatchObject({ statusCode: 401 });
      await expect(spaceInfo({ name, ...at(OTHER) })).rejects.toMatchObject({ statusCode: 404 });
    }
    expect((await spaceInfo({ name: SECRET.name, ...at(READ) })).private).toBe(true);
  });
});

describe("git", () => {
  const git = (cwd: string, ...args: string[]) =>
    execa("git", ["-c", "user.name=maker", "-c", "user.email=maker@localhost", ...args], {
      cwd,
      env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" },
    });
  const withToken = (token: string) => hub.url.replace("http://", `http://maker:${token}@`);

  test("clones, and what it pushes is what the hub shows", async () => {
    await git(folder, "clone", "--depth", "1", `${withToken(WRITE)}/spaces/maker/look_around`, "clone");
    const clone = path.join(folder, "clone");
    await writeFile(path.join(clone, "README.md"), "---\ntitle: Look twice\n---\n");
    await git(clone, "commit", "-qam", "Look twice");
    await git(clone, "push", "--quiet");
    const { stdout: sha } = await git(clone, "rev-parse", "HEAD");
    const info = await spaceInfo({ name: LOOK.name, additionalFields: ["sha", "cardData", "tags"], ...at() });
    expect(info).toMatchObject({ sha, cardData: { title: "Look twice" } });
    expect(info.tags).not.toContain("robot_python_app");
  });

  test("pushes what is longer than git's buffer", async () => {
    await git(folder, "clone", `${withToken(WRITE)}/spaces/maker/look_around.git`, "clone");
    const clone = path.join(folder, "clone");
    const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * index * 31) >>> 7));
    await writeFile(path.join(clone, "big.bin"), content);
    await git(clone, "add", ".");
    await git(clone, "commit", "-qm", "Add a big file");
    await git(clone, "push", "--quiet");
    const got = await downloadFile({ repo: LOOK, path: "big.bin", ...at() });
    expect(Buffer.from((await got?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(content)).toBe(true);
  });

  test("may not push without the right token, nor see a private space", async () => {
    await git(folder, "clone", `${hub.url}/spaces/maker/look_around`, "clone");
    const push = (url: string) =>
      git(path.join(folder, "clone"), "push", `${url}/spaces/maker/look_around`, "HEAD:main");
    await expect(push(hub.url)).rejects.toThrow(/could not read Username|Authentication failed/);
    await expect(push(withToken(READ))).rejects.toThrow("403");
    const secret = `${hub.url}/spaces/maker/secret_wave`;
    await expect(git(folder, "clone", secret, "secret")).rejects.toThrow(/could not read Username/);
    await git(folder, "clone", "--quiet", `${withToken(READ)}/spaces/maker/secret_wave`, "secret");
  });
});

test("a hub keeps its spaces, and its seed does not overwrite them", async () => {
  await commit({ repo: LOOK, title: "x", operations: [file("kept")], ...at(WRITE) });
  await hub.close();
  const again = { dataDir: path.join(folder, "data"), seed: path.resolve("fixtures/hub"), port: 0 };
  hub = await openHub({ ...again, searchPath: process.env.PATH ?? "", now: Date.now, onDefect: () => {} });
  expect(await (await downloadFile({ repo: LOOK, path: "note.txt", ...at() }))?.text()).toBe("kept");
});
