import { access, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { startChatServer } from "../../../edit/testing/chat-server.ts";
import { AFTER, BEFORE, createEditedApp, type EditedApp } from "./testing/edited-app.ts";

let app: EditedApp;

beforeEach(async () => {
  app = await createEditedApp();
});

/** Runs a command line with a chat model that gives these answers; returns what it wrote and the text of each request. */
async function run(args: string[], answers: string[] = []) {
  const { url, asked } = await startChatServer(answers);
  const written = await app.run(args, [], { env: { ...app.env, ROBOT_MODEL_URL: url } });
  return { ...written, prompts: asked.map((turns) => turns.map(({ content }) => content).join("\n")) };
}

const MAIN = "File: hello/main.py\n```python\n    return 1\n<|search_and_replace|>\n    return 2\n```";
const MOVES = "File: hello/moves.py\n```python\nSPEED = 2\n```";
const answer = (...edits: string[]) => `Sure:\n<|next_start|>${edits.join("\n")}<|next_end|>\nTwo files.`;
const edit = (...args: string[]) => ["edit", ".", "main.py", "moves.py", "-i", "Split it.", ...args];
const moves = () => join(app.folder, "hello", "moves.py");

test("several files and a new one are edited in one instruction, checked, and undone together", async () => {
  const { out, err, code, prompts } = await run(edit("--yes"), [answer(MAIN, MOVES)]);
  expect(err).toContain("about hello/main.py, hello/moves.py (new)...");
  expect(prompts[0]).toContain(`File: hello/main.py\n\`\`\`\`python\n${BEFORE}`);
  expect(prompts[0]).toContain("These files do not exist yet: hello/moves.py");
  expect(out).toContain("New file: hello/moves.py");
  expect(out).toContain("+    return 2");
  expect(out).toContain("Two files.");
  expect(out).toContain("Applied to hello/main.py, hello/moves.py. Undo it with --undo, in all of them.");
  expect(out).toContain("This is a robot app");
  expect(code).toBe(0);
  expect([await readFile(app.main, "utf8"), await readFile(moves(), "utf8")]).toEqual([AFTER, "SPEED = 2\n"]);
  const undone = await run(["edit", ".", "moves.py", "--undo"]);
  expect(undone.out).toContain(
    "is undone in all of its files: hello/main.py, hello/moves.py.\nDeleted: hello/moves.py.",
  );
  expect(await readFile(app.main, "utf8")).toBe(BEFORE);
  await expect(access(moves())).rejects.toThrow();
});

test("the refusals of all files go back to the model; after the last one nothing is written", async () => {
  const wrong = answer(MAIN.replace("return 1", "return 7"), `File: ../evil.py\n\`\`\`python\nx = 1\n\`\`\``);
  const { err, prompts, code } = await run(edit("--yes", "--no-check"), [wrong, answer(MAIN)]);
  expect(err).toContain("Refused, asking again.\nhello/main.py: The search text is not in the file");
  expect(prompts[1]).toContain("Your last answer was not applied. hello/main.py: The search text is not in the file");
  expect(prompts[1]).toContain('../evil.py: The edit is of a file that it must not change: "../evil.py" is not a path');
  expect(code).toBe(0);
  await run(["edit", ".", "--undo"]);
  const refused = await run(edit("--yes", "--json", "--retries", "0"), [wrong]);
  expect(JSON.parse(refused.out)).toMatchObject({
    ...{ status: "refused", written: false, attempts: 1, check: "skipped" },
    refusals: [
      { file: "hello/main.py", code: "not-found" },
      { file: "../evil.py", code: "wrong-path" },
    ],
  });
  expect(refused.code).toBe(1);
  expect(await readFile(app.main, "utf8")).toBe(BEFORE);
});

test("--dry-run writes nothing, --json has each file, and a declined edit ends with code 1", async () => {
  const shown = await run(edit("--dry-run", "--json"), [answer(MAIN, MOVES)]);
  expect(JSON.parse(shown.out)).toMatchObject({
    ...{ status: "applied", written: false, explanation: "Two files." },
    files: [
      { file: "hello/main.py", isNew: false, diff: expect.stringContaining("+    return 2") },
      { file: "hello/moves.py", isNew: true, diff: expect.stringContaining("+SPEED = 2") },
    ],
  });
  expect(shown.code).toBe(0);
  expect(await run(edit(), [answer(MAIN, MOVES)])).toMatchObject({ code: 1, questions: ["Apply this edit?"] });
  expect(await readFile(app.main, "utf8")).toBe(BEFORE);
  await expect(access(moves())).rejects.toThrow();
});

test("one new file is made from an instruction, and files of --context are seen", async () => {
  const args = ["edit", ".", "web/page.html", "-i", "A page.", "--yes", "--no-check", "--context", "style.css"];
  const { prompts, code } = await run(args, [answer("File: web/page.html\n```html\n<p>Hi</p>\n```")]);
  expect(prompts[0]).toContain("style.css:\n```css\np {}\n");
  expect(code).toBe(0);
  expect(await readFile(join(app.folder, "web", "page.html"), "utf8")).toBe("<p>Hi</p>\n");
});

test("--syntax warn applies an edit that breaks the syntax of one file, with a note", async () => {
  const broken = MAIN.replace("return 2", "return (");
  expect(await run(edit("--yes", "--no-check", "--retries", "0"), [answer(broken, MOVES)])).toMatchObject({
    code: 1,
    out: expect.stringContaining("hello/main.py: The file parses and would not parse after the edit"),
  });
  const { out } = await run(edit("--yes", "--no-check", "--syntax", "warn"), [answer(broken, MOVES)]);
  expect(out).toContain("note: The file does not parse after the edit");
  expect(await readFile(moves(), "utf8")).toBe("SPEED = 2\n");
});

test("a refusal that is not sent back says that the answer quotes an older version of a file", async () => {
  await run(edit("--yes", "--no-check"), [answer(MAIN, MOVES)]);
  const { out, err } = await run(edit("--dry-run", "--retries", "0"), [answer(MAIN)]);
  expect(out).toMatch(/hello\/main\.py: .*older version.*\nNo file was changed\./);
  expect(err).not.toContain("asking again");
});

test("several files with control tokens in their code are edited", async () => {
  const file = join(app.folder, "hello", "ends.py");
  await writeFile(file, 'END = "<|eot_id|>"\n');
  const ends =
    'File: hello/ends.py\n```python\nEND = "<:eot_id:>"\n<|search_and_replace|>\nEND = "<:eot_id:>" * 2\n```';
  const args = ["edit", ".", "main.py", "ends.py", "-i", "Twice.", "--yes", "--no-check"];
  const { prompts, code } = await run(args, [answer(MAIN, ends)]);
  expect(prompts[0]).not.toContain("<|eot_id|>");
  expect(code).toBe(0);
  expect([await readFile(file, "utf8"), await readFile(app.main, "utf8")]).toEqual(['END = "<|eot_id|>" * 2\n', AFTER]);
});

test("--undo with --dry-run shows the undo of all files, and does not say that it was done", async () => {
  await run(edit("--yes", "--no-check"), [answer(MAIN, MOVES)]);
  const { out, code } = await run(["edit", ".", "--undo", "--dry-run"]);
  expect({ out, code }).toEqual({ out: expect.stringMatching(/- {4}return 2[\s\S]*-SPEED = 2/), code: 0 });
  expect(out).not.toMatch(/undone|Deleted/);
  expect([await readFile(app.main, "utf8"), await readFile(moves(), "utf8")]).toEqual([AFTER, "SPEED = 2\n"]);
});

test("a file that was edited since stops the undo of all", async () => {
  await run(edit("--yes", "--no-check"), [answer(MAIN, MOVES)]);
  await writeFile(moves(), "mine\n");
  expect(await run(["edit", ".", "--undo"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("moves.py has changed since the edit of"),
  });
  expect([await readFile(app.main, "utf8"), await readFile(moves(), "utf8")]).toEqual([AFTER, "mine\n"]);
});

test("options for one file, files outside of the app and a missing instruction are refused with the next step", async () => {
  await symlink("/nowhere/at/all", join(app.folder, "gone"));
  for (const [args, problem] of [
    [edit("--hunks"), "--hunks is for an edit of one file that exists: leave it out, or name one file."],
    [edit("--lines", "1-2"), "--lines is for an edit of one file"],
    [edit("--format", "wf"), "--format is for an edit of one file"],
    [edit("--local", "model"), "--local runs models that edit one file: name one file, or a server"],
    [edit("--no-instruct"), "asked for with instructions: leave --no-instruct out"],
    [["edit", ".", "main.py", "moves.py", "--undo"], "--undo undoes an edit in all of its files: name one of them."],
    [["edit", ".", "main.py", "moves.py"], "needs an instruction: say what to change"],
    [["edit", ".", "gone.py"], "has no gone.py"],
    [edit().toSpliced(3, 1, "../out.py"), "../out.py is not in "],
    [edit().toSpliced(3, 1, "main.py"), "main.py is named twice."],
    [["edit", "README.md", "index.html", "-i", "Go."], "README.md is a file: name the folder of the app before"],
    [edit().toSpliced(3, 1, "gone/new.py"), "gone is a link that leads nowhere; remove it, or name a folder"],
    [["edit", "gone", "-i", "Go."], "gone is a link that leads nowhere"],
    [["edit", "/dev/null", "-i", "Go."], "/dev/null is neither a file nor a folder"],
  ] as const) {
    const { code, err, prompts } = await run([...args]);
    expect({ args, code, err, prompts }).toEqual({ args, code: 2, err: expect.stringContaining(problem), prompts: [] });
  }
});
