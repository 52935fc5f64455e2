import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sharedTemporaryFolder, temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { WORKSHOP_SECRET_HEADER } from "../../robot/wire/workshop/access-secret.ts";
import type { WorkshopContents } from "../../robot/wire/workshop/workshop.ts";
import { startTestDaemon, type TestDaemon } from "../http/testing/test-daemon.ts";

const NAME = ".robot-edit-0123456789ab.secret";
const SECRET = "a-secret-of-this-session";
const FIRST = "the-secret-of-the-start";

let daemon: TestDaemon;
const shared = sharedTemporaryFolder("host-");
let place = shared;
let app = "";

async function makeApp(name: string): Promise<string> {
  const folder = join(place, name);
  await mkdir(join(folder, name), { recursive: true });
  const entry = `[project.entry-points.robot_apps]\n${name} = "${name}.main:main"\n`;
  await writeFile(join(folder, "pyproject.toml"), `[project]\nname = "${name}"\nversion = "1.0.0"\n${entry}`);
  await writeFile(join(folder, name, "main.py"), "x = 1\n");
  return folder;
}

const post = async (path: string, body: object) => {
  const headers = { "content-type": "application/json" };
  const { status, text } = await daemon.request(`/api/workshop/${path}`, {
    ...{ method: "POST", headers, body: JSON.stringify(body) },
  });
  return { status, body: JSON.parse(text) };
};
const open = (folder: string, name = NAME) => post("open", { folder, secret_file: name });
const files = async (secret: string) => {
  const { status, text } = await daemon.request("/api/workshop/files", {
    headers: { [WORKSHOP_SECRET_HEADER]: secret },
  });
  return status === 200 ? (JSON.parse(text) as WorkshopContents).app : status;
};

beforeAll(async () => {
  const first = await makeApp("first");
  daemon = await startTestDaemon([], {
    workshop: { folder: first, secret: FIRST },
    env: { XDG_STATE_HOME: join(shared, "state") },
  });
});
afterAll(() => daemon.close());
beforeEach(async () => {
  place = temporaryFolder("host-");
  app = await makeApp("later");
});

test("a folder is opened by who can make a file in it that only the daemon's user can read; the first one comes back", async () => {
  await writeFile(join(app, NAME), SECRET, { mode: 0o600 });
  expect(await open(app)).toEqual({ status: 200, body: { app: "later" } });
  expect(await Promise.all([files(SECRET), files(FIRST)])).toEqual(["later", 403]);
  expect((await post("close", { secret: FIRST })).status).toBe(403);
  expect((await post("close", { secret: SECRET })).body).toEqual({ app: "first" });
  expect(await Promise.all([files(SECRET), files(FIRST)])).toEqual([403, "first"]);
  // What carried the secret is no file of the app.
  const contents = await daemon.request("/api/workshop/files", { headers: { [WORKSHOP_SECRET_HEADER]: FIRST } });
  expect(contents.text).not.toContain(NAME);
});

test.each<[string, (folder: string) => Promise<unknown>, string?]>([
  ["is missing", async () => {}],
  ["others can read", (folder) => writeFile(join(folder, NAME), SECRET).then(() => chmod(join(folder, NAME), 0o644))],
  ["others can write", (folder) => writeFile(join(folder, NAME), SECRET).then(() => chmod(join(folder, NAME), 0o602))],
  ["has no secret", (folder) => writeFile(join(folder, NAME), "short", { mode: 0o600 })],
  ["is long", (folder) => writeFile(join(folder, NAME), "x".repeat(101), { mode: 0o600 })],
  ["is a folder", (folder) => mkdir(join(folder, NAME), { mode: 0o700 })],
  [
    "is a link",
    async (folder) => {
      await writeFile(join(folder, "real"), SECRET, { mode: 0o600 });
      await symlink("real", join(folder, NAME));
    },
  ],
  ["is elsewhere", (folder) => writeFile(join(folder, "..", NAME), SECRET, { mode: 0o600 }), `../${NAME}`],
  ["has another name", (folder) => writeFile(join(folder, "key"), SECRET, { mode: 0o600 }), "key"],
])("a secret file that %s opens nothing", async (_what, prepare, name = NAME) => {
  await prepare(app);
  expect(await open(app, name)).toMatchObject({ status: 403, body: { code: "workshop-secret" } });
  expect(await files(FIRST)).toBe("first");
});

test("a secret file of another user opens nothing", async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip("needs root");
  const { chown } = await import("node:fs/promises");
  await writeFile(join(app, NAME), SECRET, { mode: 0o600 });
  await chown(join(app, NAME), 12345, 12345);
  expect((await open(app)).status).toBe(403);
});

test.each(["no app", "a relative path"])("%s cannot be opened, and what is open stays", async (what) => {
  const folder = what === "no app" ? place : "later";
  await writeFile(join(place, NAME), SECRET, { mode: 0o600 });
  expect([422]).toContain((await open(folder)).status);
  expect(await files(FIRST)).toBe("first");
  expect(await readdir(app)).not.toContain(NAME);
});
