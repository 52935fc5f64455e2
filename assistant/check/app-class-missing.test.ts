import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { appClassMissing, whyNeverRan } from "./app-class-missing.ts";
import { exampleFiles } from "./testing/example-app.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder("robot-apps-");
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of new Map([...exampleFiles, ...Object.entries(files)])) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}
const missing = async (files: Readonly<Record<string, string>>) => {
  await write(files);
  return appClassMissing(folder, new AbortController().signal);
};
const neverRan = async (main: string) => {
  await write({ "my_app/main.py": main });
  const extra = { entry_point: "my_app.main:MyApp", distribution: "my-app", dialect: "robot" };
  const info = { name: "my_app", source_kind: "installed", description: "", url: null, extra } as const;
  return whyNeverRan({ info, module: "my_app.main", file: path.join(folder, "my_app/main.py") });
};

const MISSING =
  "my_app/main.py has no class MyApp: the entry point in pyproject.toml must name the app's class in it. (PKG-006)";

test("an app cannot run whose main module has syntax that its Python does not have", async () => {
  await write({ "my_app/main.py": `${exampleFiles.get("my_app/main.py")}\ntype Speed = float\n` });
  const { signal } = new AbortController();
  expect(await appClassMissing(folder, signal)).toMatch(/^Syntax error: .* on Python 3\.10 .* \(PKG-006\)$/);
  expect(await appClassMissing(folder, signal, "3.12")).toBeNull();
  const project = exampleFiles.get("pyproject.toml")?.replace("[project]", '[project]\nrequires-python = ">=3.12"');
  await write({
    "my_app/main.py": `${exampleFiles.get("my_app/main.py")}\ntype Speed = float\n`,
    "pyproject.toml": project ?? "",
  });
  expect(await appClassMissing(folder, signal)).toBeNull();
});

describe("an app cannot run", () => {
  test.each([
    ["its main module is empty", ""],
    ["its main module is a script", "import time\n\nif __name__ == '__main__':\n    time.sleep(1)\n"],
    ["it imports the base class only", "from robot_sdk import RobotApp\n"],
    ["its class stands in a comment", "# class MyApp(RobotApp):\n#     pass\n"],
    ["its class stands in a docstring", '"""\nclass MyApp(RobotApp):\n    pass\n"""\n'],
  ])("when %s", async (_, main) => {
    expect(await missing({ "my_app/main.py": main })).toBe(MISSING);
    expect(await neverRan(main)).toBe(MISSING);
  });
});

const appOf = (name: string, base = "(RobotApp)") =>
  `from robot_sdk import RobotApp\n\n\nclass ${name}${base}:\n    def run(self, robot, stop_event):\n        pass\n`;

describe("an app is refused", () => {
  test("when its entry point names another class than the one in its main module", async () => {
    const main = `${appOf("OtherApp")}\nif __name__ == "__main__":\n    OtherApp().wrapped_run()\n`;
    expect(await missing({ "my_app/main.py": main })).toBe(MISSING);
    expect(await neverRan(main)).toBeNull(); // It runs: the entry point is not why it ended.
  });

  test("when the class that its entry point names extends nothing", async () => {
    const text = "MyApp extends nothing; it must extend RobotApp: from robot_sdk import RobotApp. (PKG-006)";
    expect(await missing({ "my_app/main.py": appOf("MyApp", "") })).toBe(text);
  });
});

describe("an app may run", () => {
  const subclass = "from robot_sdk import RobotApp\n\nclass Base(RobotApp):\n    pass\n";
  test.each<[string, Record<string, string>]>([
    ["with the class of the contract", {}],
    ["with a class that another one replaces", { "my_app/main.py": `${appOf("OtherApp")}\nMyApp = OtherApp\n` }],
    ["with a class that is set by its name", { "my_app/main.py": `${appOf("A")}\nglobals()["MyApp"] = A\n` }],
    ["with a class by a computed name", { "my_app/main.py": `${appOf("A")}\nglobals()["My" + "App"] = A\n` }],
    ["with a decorated class", { "my_app/main.py": `import x\n\n@x.app\n${appOf("MyApp", "").split("\n\n\n")[1]}` }],
    ["with a class of a metaclass", { "my_app/main.py": appOf("MyApp", "(metaclass=type)") }],
    ["with a class that connects by itself", { "my_app/main.py": "class MyApp:\n    def wrapped_run(self): pass\n" }],
    [
      "of another dialect, whose class has another name",
      {
        "pyproject.toml": (exampleFiles.get("pyproject.toml") ?? "").replace("robot_apps", "reachy_mini_apps"),
        "my_app/main.py": appOf("OtherApp").replace(/robot_sdk|RobotApp/g, (n) =>
          n === "RobotApp" ? "ReachyMiniApp" : "reachy_mini",
        ),
      },
    ],
    [
      "with a class through another class",
      { "my_app/main.py": "from .base import Base\n\nclass MyApp(Base):\n    pass\n", "my_app/base.py": subclass },
    ],
    ["with a class of another module", { "my_app/main.py": "from elsewhere import MyApp\n" }],
    ["with a class that another name stands for", { "my_app/main.py": "from elsewhere import App\nMyApp = App\n" }],
    ["with a class that is made at run time", { "my_app/main.py": "MyApp = type('MyApp', (), {})\n" }],
    ["with a class that a loop defines", { "my_app/main.py": "for _ in (1,):\n    class MyApp: pass\n" }],
    ["with everything of another module", { "my_app/main.py": "from elsewhere import *\n" }],
    [
      "with a class of a module that it runs",
      { "my_app/main.py": "from .app import run\nrun()\n", "my_app/app.py": subclass },
    ],
    [
      "with an entry point of another module",
      {
        "pyproject.toml": (exampleFiles.get("pyproject.toml") ?? "").replace("my_app.main:", "my_app.app:"),
        "my_app/main.py": "",
        "my_app/app.py": subclass,
      },
    ],
  ])("%s", async (_, files) => {
    expect(await missing(files)).toBeNull();
  });

  test("whose main module is compiled", async () => {
    await write({});
    await rm(path.join(folder, "my_app/main.py"));
    expect(await appClassMissing(folder, new AbortController().signal)).toBeNull();
  });
});

describe("an app that ended without a robot", () => {
  const withoutBlock =
    "from robot_sdk import RobotApp\n\n\nclass MyApp(RobotApp):\n    def run(self, robot, stop_event):\n        pass\n";
  test.each([
    [withoutBlock, "There is no if __name__"],
    [`${withoutBlock}\nif __name__ == "__main__":\n    MyApp()\n`, "does not call app.wrapped_run()"],
    [`${withoutBlock}\nif __name__ == "__main__":\n    print("hello")\n`, "creates no MyApp"],
  ])("has no block that runs it", async (main, text) => {
    expect(await neverRan(main)).toContain(text);
  });

  test("has a block that runs it: the code does not say why", async () => {
    const runs = `${withoutBlock}\nif __name__ == "__main__":\n    MyApp().wrapped_run()\n`;
    expect(await neverRan(runs)).toBeNull();
  });
});

test("an app that puts a pipe in place of its module does not delay its end", async () => {
  execFileSync("mkfifo", [path.join(folder, "my_app.py")]);
  const extra = { entry_point: "my_app:MyApp", distribution: "my-app", dialect: "robot" };
  const info = { name: "my_app", source_kind: "installed", description: "", url: null, extra } as const;
  const read = whyNeverRan({ info, module: "my_app", file: path.join(folder, "my_app.py") });
  await expect(read).rejects.toThrow("is a pipe or a device");
});
