import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { AFTER, createEditedApp, type EditedApp, edit } from "./testing/edited-app.ts";

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
