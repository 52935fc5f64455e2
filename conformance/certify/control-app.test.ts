import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkApp } from "../../assistant/check/check-app.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { DIALECTS } from "../../robot/dialects/dialects.ts";
import { controlAppOf, copyControlApp, mediaOf } from "./control-app.ts";

const emptyFolder = () => temporaryFolder("robot-control-");

test.each(DIALECTS)(
  "the control app of $title has the page that the judged app has, and passes the check",
  async (dialect) => {
    for (const page of [true, false]) {
      const folder = await copyControlApp(dialect, { page, sound: true, camera: true }, emptyFolder());
      const name = controlAppOf(dialect);
      const main = await readFile(join(folder, name, "main.py"), "utf8");
      expect(main).toMatch(page ? /custom_app_url = "http:\/\/(localhost|0\.0\.0\.0):\d+"/ : /custom_app_url = None/);
      expect(main).not.toContain(":8042");
      const report = await checkApp(folder, new AbortController().signal);
      expect(report.dialect).toBe(dialect.id);
      expect(report.results.filter(({ level, status }) => level === "MUST" && status !== "pass")).toEqual([]);
    }
  },
);

test("the control app of the public SDK uses sound or camera only if the judged app does", async () => {
  const dialect = DIALECTS.find(({ publicProtocol }) => publicProtocol) ?? DIALECTS[0];
  const folder = await copyControlApp(dialect, { page: false, sound: false, camera: true }, emptyFolder());
  const main = await readFile(join(folder, controlAppOf(dialect), "main.py"), "utf8");
  expect(main).toMatch(/^SOUND = False\nCAMERA = True$/m);
});

test.each([
  ["", { sound: false, camera: false }],
  ["mini.media.push_audio_sample(tone)", { sound: true, camera: false }],
  ["frame = mini.media.get_frame()", { sound: false, camera: true }],
])(
  "sound and camera are found in an app with the line %j in its own files, not in those of its environment",
  async (line, expected) => {
    const folder = emptyFolder();
    for (const part of ["my_app", ".venv/lib"]) await mkdir(join(folder, part), { recursive: true });
    await writeFile(join(folder, "my_app/main.py"), line);
    await writeFile(join(folder, ".venv/lib/other.py"), "x.get_frame(); x.play_sound()");
    expect(await mediaOf(folder)).toEqual(expected);
  },
);
