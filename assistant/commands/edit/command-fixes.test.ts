import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { AFTER, ANSWER, createEditedApp, type EditedApp, edit } from "./testing/edited-app.ts";

let app: EditedApp;

beforeEach(async () => {
  app = await createEditedApp();
});

test("files of --context reach the model, and only the file that is edited changes", async () => {
  await writeFile(join(app.folder, "hello", "motion.py"), "SPEED = 7\n");
  const { prompts, code } = await app.run(edit("--yes", "--no-check", "--context", "hello/motion.py"));
  expect(code).toBe(0);
  expect(prompts[0]).toContain("do not change them.\n\nhello/motion.py:\n```python\nSPEED = 7\n");
  expect(await readFile(app.main, "utf8")).toBe(AFTER);
  expect(await readFile(join(app.folder, "hello", "motion.py"), "utf8")).toBe("SPEED = 7\n");
  await writeFile(join(app.folder, "hello", "long.py"), "x = 1\n".repeat(20_000));
  const refused = await app.run(edit("--yes", "--context", "hello"));
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("Name fewer files with --context.") });
});

test("--fix-findings sends the findings of a file as its instruction, and checks the app at the end", async () => {
  const readme = join(app.folder, "README.md");
  await writeFile(readme, "---\ntags: []\n---\n");
  const fixed = "---\ntags:\n  - robot_python_app\n---\n";
  const { prompts, out, code } = await app.run(
    ["edit", ".", "--fix-findings", "--yes"],
    [`\`\`\`markdown\n${fixed}\n\`\`\`<|next_end|>`],
  );
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toMatch(/Fix them and nothing else\.\n- .*robot_python_app.*\(PKG-004\)/);
  expect(await readFile(readme, "utf8")).toBe(fixed);
  expect(out).toContain("This is a robot app");
  expect(code).toBe(0);
  expect(await app.run(["edit", ".", "--fix-findings", "--yes"])).toMatchObject({ code: 0, prompts: [] });
});

test("--traceback sends a traceback to the file of the app where it ends", async () => {
  const log = `12:00 started
[hello] Traceback (most recent call last):
[hello]   File "/usr/lib/python3.11/threading.py", line 10, in run
[hello]   File "/data/apps_venv/lib/python3.11/site-packages/hello/main.py", line 10, in greet
[hello]     return 1 / 0
[hello] ZeroDivisionError: division by zero
[hello] another line
`;
  const { prompts, code } = await app.run(["edit", ".", "--traceback", "-", "--yes"], [ANSWER], {
    input: log,
  } as object);
  expect(prompts[0]).toContain("near line 10. Fix it and nothing else.\nTraceback (most recent call last):\n");
  expect(prompts[0]).toContain("ZeroDivisionError: division by zero");
  expect(prompts[0]).not.toContain("another line");
  expect(await readFile(app.main, "utf8")).toBe(AFTER);
  expect(code).toBe(0);
  const without = await app.run(["edit", ".", "--traceback", "-", "--yes"], [ANSWER], {
    input: "all is well\n",
  } as object);
  expect(without).toMatchObject({ code: 2, err: expect.stringContaining("has no traceback with a line of") });
});

test("--fix-findings and --traceback refuse a file, lines and an instruction", async () => {
  for (const more of [["README.md"], ["--lines", "1-2"], ["-i", "Return two."]]) {
    const { err, code, prompts } = await app.run(["edit", ".", "--fix-findings", ...more]);
    expect({ err, code, prompts }).toEqual({ err: expect.stringContaining("name the app only"), code: 2, prompts: [] });
  }
});
