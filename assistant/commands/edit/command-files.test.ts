import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { AFTER, ANSWER, BEFORE, createEditedApp, type EditedApp, edit } from "./testing/edited-app.ts";

let app: EditedApp;

beforeEach(async () => {
  app = await createEditedApp();
});

test("an edit can be undone while the file is unchanged, and is history for the next edit", async () => {
  await app.run(edit("--yes"));
  const next = await app.run(["edit", "hello/main.py", "--dry-run"], ["```python\n```<|next_end|>"]);
  expect(next.prompts[0]).toContain(`<|im_start|>history\n\`\`\`python\n${BEFORE}\n\`\`\`<|im_end|>`);
  expect((await app.run(["edit", ".", "--undo"])).out).toContain("+    return 1");
  expect(await readFile(app.main, "utf8")).toBe(BEFORE);
  expect((await app.run(["edit", ".", "--undo"])).err).toContain("no edit to undo");
  await app.run(edit("--yes"));
  await writeFile(app.main, "x = 1\n");
  expect((await app.run(["edit", ".", "--undo"])).err).toContain("has changed since");
});

test("the committed versions are history", async () => {
  const git = (...args: string[]) =>
    execa("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: app.folder });
  await git("init", "-q");
  await git("add", ".");
  await git("commit", "-qm", "one");
  await writeFile(app.main, BEFORE.replace("greet():", "greet(name=1):").replaceAll("\n", "\r\n"));
  const { prompts } = await app.run(["edit", ".", "--dry-run"], [ANSWER]);
  expect(prompts[0]).toContain(`<|im_start|>history\n\`\`\`python\n${BEFORE}\n\`\`\`<|im_end|>`);
  expect(prompts[0]).not.toContain("\r");
  const without = await app.run(["edit", ".", "-i", "Go.", "--dry-run", "--history", "none"]);
  expect(without.prompts[0]).not.toContain("history");
});

test("line ends and byte order mark of the file are kept", async () => {
  const windows = (text: string) => `\uFEFF${text.replaceAll("\n", "\r\n")}`;
  await writeFile(app.main, windows(BEFORE));
  await app.run(edit("--yes"));
  expect(await readFile(app.main, "utf8")).toBe(windows(AFTER));
});

test("files that cannot be edited and invalid command lines are refused with a reason", async () => {
  expect(await app.run(edit("--server-url", "localhost"))).toMatchObject({
    code: 2,
    err: expect.stringContaining("--server-url is no address of HTTP; it must look like"),
  });
  expect(await app.run(edit(), [], { env: { ROBOT_MODEL_URL: "localhost:8001" } })).toMatchObject({
    code: 2,
    err: expect.stringContaining("ROBOT_MODEL_URL is no address of HTTP; it must look like http://127.0.0.1:8001"),
  });
  const aimless = await app.run(["edit", ".", "--history", "none"]);
  expect(aimless).toMatchObject({ code: 2, err: expect.stringContaining("say what to change with -i") });
  expect(await app.run(["edit", "--history", "none"])).toEqual(aimless);
  await writeFile(app.main, Buffer.from([0xff, 0xfe, 0x41]));
  expect(await app.run(edit("--yes"))).toMatchObject({ code: 1, err: expect.stringContaining("not UTF-8") });
  expect(await app.run(["edit", "nowhere"])).toMatchObject({ code: 2, err: expect.stringContaining("does not exist") });
  expect(await app.run(["edit", ".", "gone.py"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("has no gone.py"),
  });
  expect(await app.run(["edit", "hello"])).toMatchObject({ code: 2, err: expect.stringContaining("no NAME/main.py") });
  expect(await app.run(["edit", ".", "--format", "xx"])).toMatchObject({ code: 2 });
});

test("a file is found by its path inside the app's package", async () => {
  const moves = join(app.folder, "hello", "moves.py");
  await writeFile(moves, "x = 1\n");
  const answer = "```python\nx = 2\n\n```<|next_end|>";
  expect(await app.run(["edit", ".", "moves.py", "-i", "Two.", "--yes", "--no-check"], [answer])).toMatchObject({
    code: 0,
  });
  expect(await readFile(moves, "utf8")).toBe("x = 2\n");
  const sameName = await app.run(["edit", ".", "main.py", "-i", "Two.", "--dry-run"]);
  expect(sameName).toMatchObject({ code: 0, err: expect.stringContaining("about hello/main.py") });
  await mkdir(join(app.folder, "other"));
  await writeFile(join(app.folder, "other", "moves.py"), "");
  expect(await app.run(["edit", ".", "moves.py"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("has 2 files NAME/moves.py"),
  });
});

test("a file is not changed when the edit could not be undone", async () => {
  await writeFile(join(app.folder, "state"), "a file in the place of the journals");
  const { code, err } = await app.run(edit("--yes"));
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("The journal of edits in") });
  expect(await readFile(app.main, "utf8")).toBe(BEFORE);
});

test("a link that leads out of the app is neither sent to a model nor written; one that stays inside is edited", async () => {
  await writeFile(join(app.folder, "pyproject.toml"), "");
  const secret = join(temporaryFolder("elsewhere-"), "keys.py");
  await writeFile(secret, "KEY = 1\n");
  await rm(app.main);
  await symlink(secret, app.main);
  for (const path of [".", "hello/main.py"]) {
    const { code, err, prompts } = await app.run(["edit", path, "-i", "Return two.", "--yes"], [ANSWER]);
    expect([code, prompts]).toEqual([2, []]);
    expect(err).toContain(`leads out of ${app.folder}, to `);
  }
  expect(await readFile(secret, "utf8")).toBe("KEY = 1\n");
  await rm(app.main);
  await writeFile(join(app.folder, "hello", "real.py"), BEFORE);
  await symlink("real.py", app.main);
  expect(await app.run(edit("--dry-run", "--no-check"), [ANSWER])).toMatchObject({ code: 0 });
});
