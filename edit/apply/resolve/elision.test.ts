import { expect, test } from "vitest";
import { refuseElision } from "./elision.ts";

const FILE = ["import time", "def run(robot):", "    swing = 1", "# ... and then", "x = [1, 2]", "class Wave:"];
const refusalOf = (file: readonly string[], end: number, lines: readonly string[], lang = "python") => {
  try {
    refuseElision(file, [{ start: 0, end, lines }], lang);
    return undefined;
  } catch (error) {
    return (error as { refusal: { code: string } }).refusal.code;
  }
};
const codeOf = (line: string, lang = "python", above = "") => refusalOf(FILE, 1, [above, line], lang);

test.each([
  "# ... rest unchanged ...",
  "    # ...",
  "...",
  "…",
  "// ... existing code ...",
  "/* … rest of the styles … */",
  "<!-- rest of the page stays the same -->",
  "<main><!-- ... --></main>",
  "# The rest of the code remains unchanged",
  "# keep the existing methods as they are",
  "# (unchanged)",
  "[... rest of the file ...]",
  "# existing code here",
  "# no other changes",
  "    swing = ...",
  "def run(robot): ...",
  "x = [...]",
  "    swing = 1  # ... rest of the method",
  '"""... same as before ..."""',
  "# lines 10-50 unchanged",
  "    pass  # existing logic",
  "# TODO: rest of the implementation",
  "# code continues below",
  "# same code as before",
])("%s stands for other lines", (line) => {
  expect(codeOf(line)).toBe("elision");
});

test.each([
  "# ... and then",
  "# waits for it...",
  "# Move the rest of the arm first",
  "# Other settings",
  "# the remaining items",
  "swing = 1  # unchanged",
  "def f(*args: tuple[int, ...]) -> None:",
  'print("Loading...")',
  "const b = { ...a };",
  "f(...args)",
  "y: int = Field(...)",
  "See https://... for more",
  "#",
  "---",
  "# no motion before the robot is ready",
  "// snippet of the tour",
  "# the same pose as before the dance",
  "# Functions below are for tests",
  "pass  # nothing to do",
  "--- a",
])("%s is code", (line) => {
  expect(codeOf(line)).toBeUndefined();
});

const WAVE = [
  "class Wave:",
  "    def run(self):",
  "        self.wave()",
  "",
  "    def stop(self):",
  "        self.rest()",
];

test.each([
  "# (The rest of the file remains as it is)",
  "# Rest of the file is left as-is",
  "# rest of class A unchanged",
  "# The stop method remains unchanged",
  "# stop() unchanged",
  "# Code below is unchanged",
  "# Everything below is unchanged",
  "# existing stop() implementation",
  "# The rest remains the same as in the original code",
  "# (remaining code identical to the original)",
])("%s stands for the lines that go, and is prose where none goes", (comment) => {
  const longer = ["class Wave:", "    def run(self):", "        self.wave()", "        self.wave()"];
  expect(refusalOf(WAVE, WAVE.length, [...longer, `    ${comment}`])).toBe("elision");
  expect(refusalOf(WAVE, WAVE.length, [...WAVE, `    ${comment}`])).toBeUndefined();
  expect(
    refusalOf(WAVE, WAVE.length, [...WAVE.slice(0, 5), "        self.sleep()", `        ${comment}`]),
  ).toBeUndefined();
});

test.each([
  "# stop is as before",
  "# stop: no changes here",
  "# no changes to stop()",
  "# keep stop()",
  "# stop not modified",
  "# (stop method as above)",
  "pass  # stop unchanged",
  "# The stop() method is the same as in the original",
  "# stop() remains unchanged.",
])("%s stands for the definition that goes, however many lines come", (comment) => {
  const more = ["class Wave:", "    def run(self):", ...Array.from({ length: 9 }, () => "        self.wave()")];
  expect(refusalOf(WAVE, WAVE.length, [...more, `    ${comment}`])).toBe("elision");
  expect(refusalOf(WAVE, WAVE.length, [...more, ...WAVE.slice(3), `    ${comment}`])).toBeUndefined();
});

test.each(["@@ -1,3 +1,4 @@", "<<<<<<< SEARCH", ">>>>>>> REPLACE", "+++ b/main.py"])("%s is no code", (line) => {
  expect(codeOf(line)).toBe("malformed");
});

test("Python's ... is the body of something new, not of what the file has", () => {
  expect(codeOf("    ...", "python", "class Dance(Protocol):")).toBeUndefined();
  expect(codeOf("    ...", "python", "class Wave:")).toBe("elision");
  expect(codeOf("    ...", "javascript", "case 1:")).toBe("elision");
});

const APP = [
  "import math",
  "",
  "def nod(robot):",
  "    robot.goto(1)",
  "    robot.goto(2)",
  "    robot.goto(3)",
  "",
  "def run():",
];
const inApp = (...lines: string[]) => refusalOf(APP, APP.length, lines);

test.each(["# остальное без изменений", "# 以下省略", "# bleibt so", "# keep as is", "# x", "…", "[以下省略]"])(
  "%s in the place of lines that go stands for them, whatever its words",
  (marker) => {
    expect(inApp("import math", "", "def nod(robot):", "    robot.goto(4)", `    ${marker}`, "", "def run():")).toBe(
      "elision",
    );
    expect(inApp(marker, "", "def run():", "    pass")).toBe("elision");
    expect(inApp(...APP, marker)).toBe(marker === "…" ? "elision" : undefined);
    expect(inApp(...APP.slice(0, 5), "", marker, "def run():")).toBe(marker === "…" ? "elision" : undefined);
  },
);

test("a marker that the file has already stands for lines that go", () => {
  const file = ["# ...", ...APP];
  expect(refusalOf(file, file.length, ["# ...", "import math", "", "# ...", "", "def run():"])).toBe("elision");
  expect(refusalOf(file, file.length, [...file, "    pass"])).toBeUndefined();
});

test("the refusal names the lines that would go; a policy makes it a note", () => {
  const edit = { start: 0, end: APP.length, lines: ["import math", "# bleibt so", "", "def run():"] };
  const said = 'stands where lines 3 to 6 of the file would go ("def nod(robot):" to "robot.goto(3)")';
  expect(() => refuseElision(APP, [edit], "python")).toThrow(said);
  expect(refuseElision(APP, [edit], "python", "note")).toEqual([expect.stringContaining(said)]);
});

test("a comment in a new file, a shorter comment and lines that move leave nothing out", () => {
  expect(refusalOf([""], 1, ["# existing file", "x = 1"])).toBeUndefined();
  const long = ["# Nods the head", "# of the robot", "# twice.", "x = 1"];
  expect(refusalOf(long, 4, ["# Nods the head twice.", "x = 1"])).toBeUndefined();
  const moved = [
    { start: 2, end: 6, lines: ["# Now in the class."] },
    { start: 7, end: 8, lines: ["def run():", ...APP.slice(2, 6)] },
  ];
  expect(refuseElision(APP, moved, "python")).toEqual([]);
});
