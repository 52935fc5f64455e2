import { describe, expect, test } from "vitest";
import { sharedTemporaryFolder } from "../../common/testing/temporary-folder.ts";
import { DIALECTS, REACHY_MINI } from "../../robot/dialects/dialects.ts";
import { parseAppName } from "../create/app-name.ts";
import { createApp } from "../create/create-app.ts";
import { readTemplate } from "../create/template.ts";
import { readFiles } from "./app/read-files.ts";
import { checkApp, checkFiles } from "./check-app.ts";
import { planFixes } from "./fix/plan-fixes.ts";
import { REQUIREMENTS } from "./requirements.ts";

const { signal } = new AbortController();
const root = sharedTemporaryFolder("dialects-");

const create = (dialect: (typeof DIALECTS)[number]) =>
  createApp({
    app: parseAppName(`waves_${dialect.id}`),
    dialect,
    template: ["assistant/create/templates/default"],
    destination: root,
    signal,
  });

test.each(DIALECTS.map((dialect) => [dialect.id, dialect] as const))(
  "an app created in the dialect %s speaks its names only, and meets every requirement",
  async (id, dialect) => {
    const folder = await create(dialect);
    const report = await checkApp(folder, signal);
    expect(report.results.flatMap(({ findings }) => findings)).toEqual([]);
    expect(report).toMatchObject({ verdict: "conformant", dialect: id });
    const text = [...(await readFiles(folder, signal)).values()].join("\n");
    for (const { group, tag, sdk } of DIALECTS.filter((other) => other !== dialect))
      for (const name of [group, tag, sdk.distribution, sdk.appClass])
        expect(text).not.toMatch(new RegExp(`(?<![\\w-])${name}(?![\\w-])`));
    expect(text).toContain(`def run(self, ${dialect.robotParameter}: ${dialect.sdk.robotClass},`);
  },
);

test.each(DIALECTS.map((dialect) => [dialect.id, dialect] as const))(
  "an app with a page, created in the dialect %s, depends on what serves it",
  async (_, dialect) => {
    const text = await readTemplate("assistant/create/templates/page", parseAppName("paged"), dialect);
    expect(text.get("pyproject.toml")).toContain(`dependencies = ["${dialect.sdk.pageRequirement}"]`);
  },
);

describe("an app of a dialect that prescribes no form", () => {
  const { sdk, group, tag } = REACHY_MINI;
  const files = (changes: Record<string, string> = {}) =>
    new Map<string, string | null>(
      Object.entries({
        "index.html": "<!doctype html><title>Wave</title>",
        "style.css": "body {}",
        "README.md": `---\ntitle: Wave\nsdk: static\ntags:\n - ${tag}\n---\n`,
        "pyproject.toml": [
          '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"',
          '[project]\nname = "wave-again"\nversion = "0.1"',
          `dependencies = ["${sdk.distribution}"]`,
          `[project.entry-points."${group}"]\nwave-back = "wave_back.app:Wave"`,
        ].join("\n"),
        "src/wave_back/__init__.py": "",
        "src/wave_back/app.py": [
          "import os",
          `from ${sdk.module} import ${sdk.robotClass}, ${sdk.appClass}`,
          `class Wave(${sdk.appClass}):`,
          "    custom_app_url = f\"http://0.0.0.0:{os.environ.get('PORT', 8042)}\"",
          "    def wrapped_run(self, *args, **kwargs):",
          "        super().wrapped_run(*args, **kwargs)",
          `    def run(self, mini: ${sdk.robotClass}, stop_event):`,
          "        stop_event.wait()",
          'if __name__ == "__main__":',
          "    Wave().wrapped_run()",
        ].join("\n"),
        ...changes,
      }),
    );

  test("may have another key, hyphens, a src layout, a computed address and its own wrapped_run", async () => {
    const { results, app } = await checkFiles("wave-back", files());
    expect(results.flatMap(({ findings }) => findings)).toEqual([]);
    expect(app).toBe("wave_back");
    expect(results.find(({ id }) => id === "PKG-008")).toMatchObject({ status: "skip" });
  });

  test.each([
    ["a server of its own", "True", "pass"],
    ["one of the SDK", "False", "fail"],
  ])("with %s needs static/ or not", async (_, value, status) => {
    const main = files().get("src/wave_back/app.py") ?? "";
    const url = /custom_app_url = .*/;
    const own = main.replace(url, `custom_app_url = "https://0.0.0.0:8042"\n    dont_start_webserver: bool = ${value}`);
    const { results } = await checkFiles("wave-back", files({ "src/wave_back/app.py": own }));
    expect(results.find(({ id }) => id === "PKG-012")?.status).toBe(status);
  });

  test("may import its class, by any name and through a package, and have a base in another module", async () => {
    const main = files().get("src/wave_back/app.py") ?? "";
    const importing = (from: string) =>
      files({
        "pyproject.toml": (files().get("pyproject.toml") ?? "").replace("wave_back.app:Wave", "wave_back.start:Wäve"),
        "src/wave_back/app.py": main.replace("class Wave", "class Base"),
        "src/wave_back/inner/__init__.py": "from .class_of_it import Wäve\n",
        "src/wave_back/inner/class_of_it.py": "from ..app import Base\n\n\nclass Wäve(Base):\n    pass\n",
        "src/wave_back/start.py": `from ${from} import Wäve\n\nif __name__ == "__main__":\n    Wäve().wrapped_run()\n`,
      });
    for (const from of [".inner", "wave_back.inner.class_of_it"]) {
      const { results } = await checkFiles("wave-back", importing(from));
      expect(results.flatMap(({ findings }) => findings)).toEqual([]);
      expect(results.find(({ id }) => id === "PKG-006")?.status).toBe("pass");
    }
    const { results } = await checkFiles("wave-back", importing("another_package"));
    expect(results.find(({ id }) => id === "PKG-006")).toMatchObject({
      status: "skip",
      reason: "Wäve is imported from another_package, which only running the app can follow",
    });
  });

  test("has findings with the names of its dialect", async () => {
    const { results } = await checkFiles(
      "wave-back",
      files({ "README.md": "---\ntags: [static]\n---\n", "src/wave_back/app.py": "class Wave(object): pass\n" }),
    );
    const [message, tagFault] = ["PKG-006", "PKG-004"].map(
      (id) => results.find((result) => result.id === id)?.findings[0]?.message,
    );
    expect(message).toContain(`from ${sdk.module} import ${sdk.appClass}`);
    expect(tagFault).toContain(tag);
    expect(results.find(({ id }) => id === "PKG-003")?.title).toContain(group);
  });

  test("stays one when a fix corrects a group with hyphens", async () => {
    const withHyphens = group.replaceAll("_", "-");
    const toml = files().get("pyproject.toml") ?? "";
    const broken = files({ "pyproject.toml": toml.replace(group, withHyphens) });
    const report = await checkFiles("wave-back", broken);
    expect(report.dialect).toBe(REACHY_MINI.id);
    expect(report.results.find(({ id }) => id === "PKG-003")?.findings[0]?.message).toContain(`is "${withHyphens}"`);
    const { changes } = await planFixes(broken, REQUIREMENTS);
    expect(changes.map(({ file }) => file)).toEqual(["pyproject.toml"]);
    expect(changes[0]?.after).toContain(`[project.entry-points.${group}]`);
    for (const { file, after } of changes) broken.set(file, after);
    expect(await checkFiles("wave-back", broken)).toMatchObject({ verdict: "conformant", dialect: REACHY_MINI.id });
  });
});
