import { describe, expect, test } from "vitest";
import { healthyFiles, reportWith } from "./testing/healthy.ts";

const MAIN = "hello_robot/main.py";
const main = healthyFiles.get(MAIN) ?? "";
const IMPORT = "from robot_sdk import MoveError, Robot, RobotApp\n";
const BLOCK = main.slice(main.indexOf('if __name__ == "__main__"'));

/** The results for another main.py; passes are left out. */
async function resultsFor(text: string): Promise<string[]> {
  // A replacement that found nothing would test nothing.
  expect(text).not.toBe(main);
  const { results } = await reportWith({ [MAIN]: text });
  return results
    .filter(({ status }) => status !== "pass")
    .map(({ id, status, findings }) => `${id} ${status} ${findings.map(({ line }) => line).join()}`.trim());
}

/** The healthy main.py with another import of RobotApp and another base. */
const based = (imports: string, base: string) =>
  main
    .replace(IMPORT, `from robot_sdk import MoveError, Robot\n${imports}\n`)
    .replace("HelloRobot(RobotApp)", `HelloRobot(${base})`);

const withBlock = (block: string) => main.replace(BLOCK, () => block);

test("the parts that are replaced are in main.py", () => {
  expect(main).toContain(IMPORT);
  expect(BLOCK).toContain("app.wrapped_run()");
});

describe("a healthy main.py written in another way passes", () => {
  test.each([
    ["a base written with its module", based("import robot_sdk", "robot_sdk.RobotApp")],
    ["a base by an alias of its module", based("import robot_sdk as r", "r.RobotApp")],
    ["a base under another name", based("from robot_sdk import RobotApp as App", "App")],
    ["a base from its own module", based("from robot_sdk.app import RobotApp", "RobotApp")],
    ["a base by an alias of its own module", based("import robot_sdk.app as a", "a.RobotApp")],
    ["a base by a star import", based("from robot_sdk import *", "RobotApp")],
    ["a base by assignment", based("import robot_sdk\nApp = robot_sdk.RobotApp", "App")],
    [
      "a base in a try statement",
      based("try:\n    from robot_sdk import RobotApp\nexcept ImportError:\n    RobotApp = object", "RobotApp"),
    ],
    [
      "a class under another name",
      main.replace("class HelloRobot(", "class _Hello(").replace(BLOCK, () => `HelloRobot = _Hello\n\n\n${BLOCK}`),
    ],
    ["a base among others", based("import abc\nfrom robot_sdk import RobotApp", "RobotApp, abc.ABC")],
    [
      "a base of a base",
      based("from robot_sdk import RobotApp\nclass Base(RobotApp):\n    custom_app_url = None\n", "Base"),
    ],
    ["KeyboardInterrupt in a tuple", main.replace("except KeyboardInterrupt", "except (OSError, KeyboardInterrupt)")],
    ["an except clause for BaseException", main.replace("except KeyboardInterrupt", "except BaseException")],
    ["stop in a finally clause", main.replace("except KeyboardInterrupt", "finally")],
    ["a guard the other way round", main.replace('__name__ == "__main__"', '"__main__" == __name__')],
    [
      "a function that the block calls",
      withBlock(`def main():\n${BLOCK.replace(/^.*\n/, "")}\n\nif __name__ == "__main__":\n    main()\n`),
    ],
    [
      "a function called in the try statement",
      withBlock(
        `def main(app: HelloRobot):\n    app.wrapped_run()\n\n\n${BLOCK.replace("        app.wrapped_run()", "        main(app)")}`,
      ),
    ],
    [
      "a base imported in one branch",
      based(
        'import sys\nif sys.platform != "win32":\n    from robot_sdk import RobotApp\nelse:\n    RobotApp = object',
        "RobotApp",
      ),
    ],
    [
      "a page of the base that the class gives up",
      based(
        'from robot_sdk import RobotApp\nclass Base(RobotApp):\n    custom_app_url = "http://localhost:8042"\n',
        "Base",
      ).replace(/^ {4}custom_app_url = .*8042.*$/gm, (line, at, text) =>
        text.indexOf(line) === at ? line : "    custom_app_url = None",
      ),
    ],
    ["no page", main.replace('"http://localhost:8042"', "None")],
    ["a page with a type", main.replace("custom_app_url =", "custom_app_url: str | None =")],
    ["a page on the port of its scheme", main.replace("localhost:8042", "localhost:80/")],
    ["other parameter names of run", main.replace(/def run\(.*\)/, "def run(self, _robot, stop, /, speed=1, **more)")],
    ["run with *args", main.replace(/def run\(.*\)/, "def run(self, *args)")],
    ["Windows line ends and a byte order mark", `\uFEFF${main.replaceAll("\n", "\r\n")}`],
    ["form feeds between parts", main.replace("class Hello", "\f\nclass Hello")],
  ])("%s", async (_, text) => {
    expect(await resultsFor(text)).toEqual([]);
  });
});

describe("a finding has the line of", () => {
  const lineOf = (part: string) => main.slice(0, main.indexOf(part)).split("\n").length;
  test.each([
    ["the line of a syntax error", main.replace("(RobotApp):", "(RobotApp)"), "PKG-006 fail", "class Hello"],
    ["the class", main.replace("HelloRobot(RobotApp)", "HelloRobot"), "PKG-006 fail", "class Hello"],
    ["run", main.replace("    def run", "    async def run"), "PKG-006 fail", "def run"],
    ["the call", main.replace("app.stop()", "pass"), "PKG-007 fail", "app.wrapped_run"],
    ["the URL", main.replace(":8042", ""), "PKG-008 fail", "custom_app_url"],
  ])("%s", async (_, text, verdict, part) => {
    expect((await resultsFor(text)).filter((each) => each.includes("fail"))).toEqual([`${verdict} ${lineOf(part)}`]);
  });

  test("the entry point, not a script of the same name", async () => {
    const toml = healthyFiles.get("pyproject.toml") ?? "";
    const scripts = '[project.scripts]\nhello_robot = "hello_robot.cli:main"\n';
    const wrong = 'hello_robot = "hello_robot.other:HelloRobot"';
    const text = `${scripts}\n${toml.replace('hello_robot = "hello_robot.main:HelloRobot"', wrong)}`;
    const { results } = await reportWith({ "pyproject.toml": text });
    const line = text.split("\n").indexOf(wrong) + 1;
    expect(line).toBeGreaterThan(3);
    expect(results.flatMap(({ findings }) => findings)).toMatchObject([{ file: "pyproject.toml", line }]);
  });

  test("the tag", async () => {
    const readme = healthyFiles.get("README.md")?.replace("tags:\n  - robot_python_app", "tags: none") ?? "";
    const { results } = await reportWith({ "README.md": readme });
    const line = readme.split("\n").indexOf("tags: none") + 1;
    expect(results.flatMap(({ findings }) => findings)).toMatchObject([{ file: "README.md", line }]);
  });
});

describe("imports that nothing declares", () => {
  const imported = (lines: string) => main.replace("import threading\n", `import threading\n${lines}\n`);
  test.each([
    ["a try", "try:\n    import scipy\nexcept ImportError:\n    scipy = None"],
    ["a condition", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import scipy"],
    ["the standard library", "import asyncio.subprocess, tomllib, zoneinfo"],
    ["a function", "def late():\n    import scipy"],
    ["a text", '"""\nimport scipy\n"""'],
    ["what the SDK brings", "import numpy.typing\nfrom fastapi import Response\nimport pydantic"],
    ["the app itself", "import hello_robot\nfrom . import __init__"],
  ])("do not count in %s", async (_, lines) => {
    expect(await resultsFor(imported(lines))).toEqual([]);
  });

  test.each([
    ["import scipy.spatial as s", "4"],
    ["from scipy import spatial\nimport scipy", "4"],
    ["from hello_robot import (\n    scipy as s,\n)\nimport scipy", "7"],
  ])("%j is found, once", async (lines, line) => {
    expect(await resultsFor(imported(lines))).toEqual([
      `PKG-014 warn ${Number(line) + main.slice(0, main.indexOf("import threading")).split("\n").length - 3}`,
    ]);
  });

  test("are declared by the name of their distribution, an extra of the app or one of the SDK", async () => {
    const toml = healthyFiles.get("pyproject.toml") ?? "";
    for (const dependency of [
      '"OpenCV_Python>=4"',
      "\"opencv-contrib-python-headless ; python_version > '3.9'\"",
      '"robot-sdk[opencv]"',
    ]) {
      const text = toml.replace('"robot-sdk[web]"', `"robot-sdk[web]", ${dependency}`);
      const { results } = await reportWith({ [MAIN]: imported("import cv2"), "pyproject.toml": text });
      expect(results.find(({ id }) => id === "PKG-014")?.status).toBe("pass");
    }
  });
});

describe("a loop that waits", () => {
  const loop = "            time.sleep(PERIOD_S)\n";
  test.each([
    "            stop_event.wait(0.1)\n",
    "            self.rest()\n",
    "            with self.lock:\n                pass\n",
    "            if energy > 2:\n                break\n",
    "            robot.goto_target(head, antennas, duration=0.1)\n",
  ])("by %j is no finding", async (pause) => {
    expect(await resultsFor(main.replace(loop, pause))).toEqual([]);
  });

  test.each([
    "            print(look_around(phase, energy))\n",
    "            if robot.antenna_touched('left'):\n                print('touched')\n",
  ])("nowhere is one, also when it calls what returns at once: %j", async (calls) => {
    expect(await resultsFor(main.replace(loop, calls))).toEqual([expect.stringMatching(/^PKG-016 warn \d+$/)]);
  });
});

describe("a requirement that needs the app to run is skipped", () => {
  test.each([
    ["a base from elsewhere", based("from .base import Base", "Base")],
    ["run by assignment", main.replace("    def run(", "    run = loop\n\n    def go(")],
    [
      "run under a condition",
      main.replace("    def run(", "    if True:\n        def run(self, robot, stop_event): pass\n\n    def go("),
    ],
    [
      "run from elsewhere",
      main
        .replace("(RobotApp)", "(Moves, RobotApp)")
        .replace("def run", "def go")
        .replace(IMPORT, `${IMPORT}from hello_robot.moves import Moves\n`),
    ],
  ])("%s", async (_, text) => {
    expect(await resultsFor(text)).toEqual(["PKG-006 skip"]);
  });

  test("an app whose files do not parse", async () => {
    const { results, verdict } = await reportWith({ "pyproject.toml": "[", [MAIN]: "def f(" });
    const statuses = Object.fromEntries(results.map(({ id, status }) => [id, status]));
    expect(verdict).toBe("not-conformant");
    expect(statuses).toMatchObject({
      ...{ "PKG-002": "fail", "PKG-003": "skip", "PKG-005": "pass" },
      ...{ "PKG-006": "fail", "PKG-007": "skip", "PKG-008": "skip" },
    });
  });
});

describe("package data of all packages, or of the folder of the page as a package", () => {
  const toml = healthyFiles.get("pyproject.toml") ?? "";
  const project = toml.slice(0, toml.indexOf("[tool.setuptools"));
  const DATA = "[tool.setuptools.package-data]\n";
  test.each([
    ["ships the page when setuptools finds the packages", `${DATA}"*" = ["*"]\n`, "pass"],
    ["ships it by the folder's name", `${DATA}"hello_robot.static" = ["*"]\n`, "pass"],
    ["ships only what it names", `${DATA}"*" = ["*.txt"]\n`, "fail"],
    [
      "does not ship it when only the app is a package",
      `[tool.setuptools]\npackages = ["hello_robot"]\n${DATA}"*" = ["*"]\n`,
      "fail",
    ],
    [
      "does not when namespaces are left out",
      `[tool.setuptools.packages.find]\nnamespaces = false\n${DATA}"*" = ["*"]\n`,
      "fail",
    ],
  ])("%s", async (_, tables, status) => {
    const { results } = await reportWith({ "pyproject.toml": project + tables });
    expect(results.find(({ id }) => id === "PKG-012")?.status).toBe(status);
  });
});
