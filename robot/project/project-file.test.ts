import { expect, test } from "vitest";
import { faultsOf, parseProjectFile } from "./project-file.ts";

const APP = '[project]\nname = "my_app"\nversion = "0.1.0"\n';

function read(text: string) {
  const parsed = parseProjectFile(text);
  if ("error" in parsed) throw new Error(parsed.error.message);
  return parsed.value;
}

test.each([
  ["a byte order mark", `\uFEFF${APP}`, "byte order mark"],
  ["a key twice", `${APP}name = "other"\n`, "redefine"],
])("%s does not parse", (_, text, message) => {
  expect(parseProjectFile(text)).toEqual({
    error: { message: expect.stringContaining(message), line: expect.any(Number) },
  });
});

test("a file without [project] needs it, and with it a name and a version", () => {
  expect(faultsOf(read(""), []).map(({ message }) => message)).toEqual([expect.stringContaining("no [project] table")]);
  expect(faultsOf(read("[project]\n"), []).map(({ at }) => at.join("."))).toEqual(["project.name", "project.version"]);
});

test("the dependencies are null where the build decides, and where they are no list", () => {
  expect(read(APP).dependencies).toEqual([]);
  expect(read(`${APP}dependencies = ["numpy"]\n`).dependencies).toEqual(["numpy"]);
  expect(read(`${APP}dynamic = ["dependencies"]\n`).dependencies).toBeNull();
  expect(read(`${APP}dependencies = "numpy"\n`).dependencies).toBeNull();
});

test.each([
  [
    'requires = ["hatchling"]\nbuild-backend = "setuptools.build_meta"',
    "Backend 'setuptools.build_meta' is not available",
  ],
  [
    'requires = ["setuptools"]\nbuild-backend = "setuptools.buildmeta"',
    "Backend 'setuptools.buildmeta' is not available",
  ],
  ['build-backend = "setuptools.build_meta"', "must contain ['requires']"],
  ['requires = "setuptools"', "must be array"],
  ['requires = ["setuptools=77"]', "must be pep508"],
  ['requires = []\nbackend = "x"', "must not contain {'backend'}"],
])("[build-system] with %s is refused", (system, says) => {
  const faults = faultsOf(read(`${APP}[build-system]\n${system}\n`), []);
  expect(faults.map(({ message }) => message)).toEqual([expect.stringContaining(says)]);
});

test.each([
  'requires = ["hatch-vcs"]\nbuild-backend = "hatchling.build"',
  'requires = ["maturin>=1"]\nbuild-backend = "maturin"',
  'requires = []\nbuild-backend = "own"\nbackend-path = ["."]',
])("[build-system] with %s is accepted: other packages may bring the backend", (system) => {
  expect(faultsOf(read(`${APP}[build-system]\n${system}\n`), ["my_app/__init__.py"])).toEqual([]);
});
