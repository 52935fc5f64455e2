import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { PACKAGE_FOLDER } from "../../common/machine/package-folder.ts";
import { commandProblem } from "./testing/known-commands.ts";
import { fencesOf, linkProblem, linksOf, PAGES, pageText } from "./testing/pages.ts";
import { commandsOf, parseShell } from "./testing/shell-commands.ts";

/** Languages of fenced blocks. A block without one could hide commands from these tests. */
const LANGUAGES = ["sh", "bash", "console", "python", "js", "ts", "json", "yaml", "toml", "ini", "text", "diff"];

describe.each(PAGES)("%s", (page) => {
  const text = pageText(page);
  const fences = fencesOf(text);

  test("has links to files and headings that exist", () => {
    const dead = linksOf(text).flatMap(({ target, line }) => {
      const problem = linkProblem(page, target);
      return problem === undefined ? [] : [`${page}:${line}: ${target}: ${problem}`];
    });
    expect(dead).toEqual([]);
  });

  test("names the language of each block", () => {
    const unknown = fences.filter(({ language }) => !LANGUAGES.includes(language));
    expect(unknown.map(({ language, line }) => `${page}:${line}: "${language}"`)).toEqual([]);
  });

  test("has commands that fit the programs", async () => {
    const problems: string[] = [];
    for (const { words, line } of fences.flatMap(commandsOf)) {
      const problem = await commandProblem(words);
      if (problem !== undefined) problems.push(`${page}:${line}: ${words.join(" ")}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });

  test("names files of this package that exist", () => {
    const named = text.matchAll(
      /`((?:common|robot|ui|sim|daemon|assistant|conformance|fixtures|features|lab|scripts|docs|sdk|deploy)\/[\w./-]*)`/g,
    );
    const missing = [...named]
      .map(([, file = ""]) => file)
      .filter((file) => !existsSync(path.join(PACKAGE_FOLDER, file)));
    expect(missing).toEqual([]);
  });
});

test("every page is linked from another one", () => {
  const linked = PAGES.flatMap((page) =>
    linksOf(pageText(page)).map(({ target }) =>
      path.normalize(path.join(path.dirname(page), target.split("#")[0] ?? "")),
    ),
  );
  expect(PAGES.filter((page) => page !== "README.md" && !linked.includes(page))).toEqual([]);
});

test("docs/architecture.md names functions that exist, with at most 18 stops of a target", () => {
  const stops = [...pageText("docs/architecture.md").matchAll(/^\d+\. `([\w./-]+): (#?\w+)`/gm)];
  const missing = stops.filter(([, file = "", name = ""]) => {
    const source = pageText(file);
    return !new RegExp(`(?<![\\w#])${name}\\b`).test(source);
  });
  expect(missing.map(([line]) => line)).toEqual([]);
  const walk = /## How a target travels\n([\s\S]*?)\n## /.exec(pageText("docs/architecture.md"))?.[1] ?? "";
  const count = [...walk.matchAll(/^\d+\. `/gm)].length;
  expect(count).toBeGreaterThan(10);
  expect(count).toBeLessThanOrEqual(18);
});

describe("the checks themselves", () => {
  const words = (text: string) => parseShell(text, 1).map((command) => command.words);

  test("split a shell text into the words of its commands", () => {
    expect(words("npx a 'b c' # d\nsudo -u me X=1 e \\\n  f && g | h > i 2>j; k \"$(l m &)\"\n\n")).toEqual([
      ["a", "b c"],
      ["e", "f"],
      ["g"],
      ["h"],
      ["l", "m"],
      ["k", "/dev/pts/0"],
    ]);
    expect(parseShell("a\n\nb \\\nc\nd", 10).map(({ line }) => line)).toEqual([10, 12, 14]);
  });

  test.each([
    ["robot-daemon --simm", "unknown option"],
    ["robot-daemon instal x", "too many arguments"],
    ["robot-daemon --port many", "whole number"],
    ["npm start -- --seed 1", "unknown option"],
    ["npm run nothing", "no script nothing"],
    ["robot-app-assistant create --nope", "unknown option"],
    ["robot-app-assistant report", "missing required argument"],
    ["node bin/robot-sim.mjs --fault nonsense", "no fault"],
    ["rm -rf x", "not a known program"],
    ["npx vitest run --config scripts/nothing.ts", "scripts/nothing.ts does not exist"],
  ])("refuse %s", async (text, problem) => {
    const [command = []] = words(text);
    expect(await commandProblem(command)).toContain(problem);
  });

  test("find dead links", () => {
    expect(linkProblem("docs/robot.md", "nothing.md")).toBe("docs/nothing.md does not exist");
    expect(linkProblem("docs/robot.md", "../README.md#nothing")).toBe("README.md has no heading #nothing");
    expect(linkProblem("docs/robot.md", "#frames-and-units")).toBeUndefined();
  });
});
