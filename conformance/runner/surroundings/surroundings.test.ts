import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { INSIDE } from "../isolation/isolation-plan.ts";
import { Surroundings } from "./surroundings.ts";

/** Seconds; the nearest millisecond is in the next second, by which Python tells whether its cache is of this source. */
const SOURCE_TIME = 40.9997;

let [site, home, work]: string[] = [];
let surroundings: Surroundings;

beforeEach(() => {
  const folder = temporaryFolder("robot-surroundings-");
  const venv = join(folder, "venv");
  const real = join(venv, "lib/python3.11/site-packages");
  mkdirSync(join(real, "robot_sdk"), { recursive: true });
  mkdirSync(join(real, "numpy"));
  writeFileSync(join(real, "robot_sdk/__init__.py"), "");
  utimesSync(join(real, "robot_sdk/__init__.py"), 1, SOURCE_TIME);
  [home, work] = [join(folder, "home"), join(folder, "work")];
  for (const each of [home, work]) mkdirSync(each);
  const options = {
    venv,
    folder: join(folder, "shared"),
    home,
    names: ["my_app"],
    authorHome: null,
    writable: [home, work],
    isSandboxed: true,
  };
  surroundings = new Surroundings(options);
  surroundings.reset(null);
  site = surroundings.binds()[0]?.outside ?? "";
});

test("an app finds copies of the SDK and of another app, and the rest read-only; nothing is seen of one that keeps away", () => {
  expect(readdirSync(site ?? "").sort()).toEqual(["numpy", "robot_sdk", "wave_back", "wave_back-0.1.0.dist-info"]);
  const shown = surroundings
    .binds()
    .map(({ inside, writable }) => [inside.slice(INSIDE.venv.length), writable ?? false]);
  expect(shown).toEqual([
    ["/lib/python3.11/site-packages", true],
    ["/lib/python3.11/site-packages/numpy", false],
  ]);
  mkdirSync(join(site ?? "", "robot_sdk/__pycache__"));
  writeFileSync(join(site ?? "", "robot_sdk/__pycache__/__init__.cpython-311.pyc"), "");
  expect(surroundings.findTrespasses()).toEqual([]);
});

test("the copies have the times of the originals: Python would write its caches again", () => {
  expect(statSync(join(site ?? "", "robot_sdk/__init__.py")).mtimeMs).toBeCloseTo(1000 * SOURCE_TIME, 1);
});

test("what it changes, leaves and keeps is seen, until all is made as it was", () => {
  appendFileSync(join(site ?? "", "robot_sdk/__init__.py"), "#");
  writeFileSync(join(site ?? "", "evil.pth"), "import os");
  writeFileSync(join(home ?? "", ".profile"), "true");
  const data = surroundings.dataFolder().outside;
  writeFileSync(join(work ?? "", "kept"), readFileSync(join(data, "access-token")));
  writeFileSync(join(data, "settings.json"), "{}");
  expect(surroundings.findTrespasses().map(({ kind, what }) => `${kind}: ${what}`)).toEqual([
    "environment: changed /var/lib/robot-daemon/settings.json",
    "environment: added evil.pth",
    "environment: changed robot_sdk/__init__.py",
    "left-behind: added .profile",
    "token: wrote the access token into kept",
  ]);
  rmSync(join(home ?? "", ".profile"));
  surroundings.reset(null);
  expect(surroundings.findTrespasses()).toEqual([]);
});
