import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { startAssistant } from "../catalogue/testing/run-assistant.ts";

const VALUE = "zq7Zr9TfLw2XkV8m";

test("an app gets the secret that it needs, and no file and no line of output has it, also when the app prints it", async () => {
  const folder = temporaryFolder("robot-secret-");
  const app = join(folder, "steady_app");
  cpSync("fixtures/apps/steady_app", app, { recursive: true });
  const main = join(app, "steady_app/main.py");
  const needing = '        key = os.environ["MY_API_KEY"]\n        print("key", key)\n        began = ';
  const text = readFileSync(main, "utf8").replace("        began = ", needing);
  writeFileSync(main, text.replace("import math", "import math\nimport os"));
  const temporary = temporaryFolder("robot-secret-scratch-");
  const certify = async (...options: string[]) => {
    const args = ["certify", app, "--only", "LIFE-013", "--out", join(folder, "out"), ...options];
    const env = { ...process.env, MY_API_KEY: VALUE, TMPDIR: temporary };
    const certifying = startAssistant(args, env);
    return { code: await certifying.exit, printed: certifying.out() + certifying.err() };
  };
  const given = await certify("--secret", "MY_API_KEY");
  expect(given).toMatchObject({ code: 0, printed: expect.not.stringContaining(VALUE) });
  const written = [...filesIn(join(folder, "out")), ...filesIn(temporary)];
  expect(written.filter((file) => readFileSync(file).includes(VALUE))).toEqual([]);
  const verdict = readFileSync(join(folder, "out/verdict.json"), "utf8");
  expect(verdict).toContain("key [MY_API_KEY]");
  expect(JSON.parse(verdict).environment.options.secrets).toEqual(["MY_API_KEY"]);
});

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
