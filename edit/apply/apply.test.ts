import fc from "fast-check";
import { expect, test } from "vitest";
import { pythonSyntaxErrors } from "../../common/python/syntax-errors.ts";
import { damagedPython } from "../../common/python/testing/damaged-python.ts";
import { PROPERTY_RUNS } from "../../common/testing/property-runs.ts";
import { fencedBlock, rangeBlock, searchBlock } from "../formats/fence.ts";
import { FORMATS, type Format } from "../formats/format.ts";
import { renderResponse } from "../formats/render/render-response.ts";
import { type ApplyOptions, applyEdit, hashText } from "./apply.ts";

const run = (current: string, body: string, options: ApplyOptions) =>
  applyEdit(current, `${body}<|next_end|><|im_end|>`, { lang: "text", ...options });
const wf = (current: string, after: string, options: ApplyOptions = {}) =>
  run(current, fencedBlock("text", after), { format: "wf", ...options });
const lc = (current: string, start: number, end: number, lines: string, options: ApplyOptions = {}) =>
  run(current, rangeBlock("text", start, end, lines), { format: "lc", ...options });
const sr = (current: string, search: string, lines: string, options: ApplyOptions = {}) =>
  run(current, searchBlock("text", search, lines), { format: "sr", ...options });
const twoRanges = (first: string, second: string) => run("a\nb\nc", `${first}\n${second}`, { format: "lc" });
const slice = { convention: "slice" } as const;
const result = (text: string) => ({ status: "applied", result: text });
const refused = (code: string) => ({ status: "refused", refusal: { code } });

test("inclusive ranges replace whole lines; slices may insert", async () => {
  expect(await lc("a\nb\nc\n", 2, 2, "x\ny")).toMatchObject(result("a\nx\ny\nc\n"));
  expect(await lc("a\nb\nc\n", 1, 2, "x", slice)).toMatchObject(result("a\nx\nc\n"));
  expect(await lc("a\nb", 0, 0, "x", slice)).toMatchObject(result("x\na\nb"));
  expect(await lc("a\nb", 2, 2, "x", slice)).toMatchObject(result("a\nb\nx"));
  expect(await lc("", 1, 1, "x")).toMatchObject(result("x"));
});

test("an empty replacement deletes, an empty insertion is a blank line", async () => {
  expect(await lc("a\nb\nc", 2, 2, "")).toMatchObject(result("a\nc"));
  expect(await lc("a\nb\nc", 3, 3, "")).toMatchObject(result("a\nb"));
  expect(await lc("a\nb", 1, 1, "", slice)).toMatchObject(result("a\n\nb"));
  expect(await sr("a\nb\nc", "b", "")).toMatchObject(result("a\nc"));
  expect(await run("a\nb\nc", "```\nb\n<|search_and_replace|>\n```", { format: "sr" })).toMatchObject(result("a\nc"));
  expect(await run("a\nb", "1,1\n```\n```", { format: "lc", ...slice })).toMatchObject(refused("empty-insertion"));
});

test("ranges must be inside the file, in order of lines, and not overlap", async () => {
  expect(await lc("a\nb", 0, 1, "x")).toMatchObject(refused("out-of-bounds"));
  expect(await lc("a\nb", 2, 3, "x")).toMatchObject(refused("out-of-bounds"));
  expect(await lc("a\nb", 2, 1, "x")).toMatchObject(refused("reversed"));
  expect(await lc("a\nb", 1, 9e15, "x")).toMatchObject(refused("out-of-bounds"));
  expect(await twoRanges(rangeBlock("text", 1, 2, "x"), rangeBlock("text", 2, 3, "y"))).toMatchObject(
    refused("overlap"),
  );
  expect(await twoRanges(rangeBlock("text", 3, 3, "z"), rangeBlock("text", 1, 1, "x"))).toMatchObject(
    result("x\nb\nz"),
  );
});

test("an empty block and a range above it, between unnamed fences, can be read as one block", async () => {
  expect(await twoRanges(rangeBlock("", 2, 2, ""), rangeBlock("", 1, 1, ""))).toMatchObject(refused("ambiguous"));
  expect(await run("a\nb\nc", "2,2\n```text\n```\n1,1\n```\n```", { format: "lc" })).toMatchObject(
    refused("ambiguous"),
  );
  expect(await twoRanges(rangeBlock("", 1, 1, ""), rangeBlock("", 2, 2, ""))).toMatchObject(result("c"));
  expect(await twoRanges(rangeBlock("text", 2, 2, ""), rangeBlock("text", 1, 1, ""))).toMatchObject(result("c"));
});

test("copied line numbers are refused", async () => {
  expect(await lc("a\nb\nc", 2, 3, "2 x\n3 y")).toMatchObject(refused("line-numbers"));
  expect(await lc("1 0.5\n2 0.6", 0, 0, "0 0.4", slice)).toMatchObject(result("0 0.4\n1 0.5\n2 0.6"));
  expect(await lc("1 a\n2 b", 2, 2, "2 x")).toMatchObject(result("1 a\n2 x"));
  // Of a blank line, an answer may have the number alone.
  expect(await lc("a\nb\n\nd\ne", 2, 4, "2 x\n3\n4 y")).toMatchObject(refused("line-numbers"));
  expect(await lc("a\nb\nc", 3, 3, "3")).toMatchObject(result("a\nb\n3"));
  // The numbers of an inclusive range that is read as a slice.
  expect(await lc("a\nb\nc\nd", 2, 4, "2 b\n3 x\n4 d", slice)).toMatchObject(refused("line-numbers"));
});

test("a search must occur in the file exactly once", async () => {
  expect(await sr("a\nb\na\nb", "a", "x")).toMatchObject({
    refusal: { code: "found-twice", reason: expect.stringContaining("1, 3") },
  });
  expect(await sr("a\na\na", "a\na", "x")).toMatchObject({ refusal: { reason: expect.stringContaining("1, 2") } });
  const lost = await sr("one\n  two = 2\nthree", "two = 3\nthree", "x");
  expect(lost).toMatchObject({ refusal: { code: "not-found", hint: expect.stringContaining("line 2") } });
  expect(await sr("a\n\nb", "", "x")).toMatchObject(refused("empty-search"));
  expect(await sr("", "", "x")).toMatchObject(result("x"));
  const twice = `${searchBlock("text", "a\nb", "x")}\n${searchBlock("text", "b", "y")}`;
  expect(await run("a\nb", twice, { format: "sr" })).toMatchObject(refused("overlap"));
});

test("a uniform indent offset is adapted with a note; any other difference is refused", async () => {
  const file = "def f():\n    if x:\n        go()\n";
  const moved = await sr(file, "if x:\n    go()", "if y:\n    go()");
  expect(moved).toMatchObject({
    ...result("def f():\n    if y:\n        go()\n"),
    notes: [expect.stringContaining("re-indented")],
  });
  expect(await sr(file, "if x:\ngo()", "if y:\ngo()")).toMatchObject(refused("not-found"));
  expect(await sr(file, "if x:\n    go()", "    if y:\n        go()")).toMatchObject(refused("indent-drift"));
  expect(await sr("x\nif a:\n", "    if a:", "    if b:")).toMatchObject(result("x\nif b:\n"));
});

test("line ends, byte order mark and final newline are kept", async () => {
  expect(await wf("a\r\nb\r\n", "a\nc")).toMatchObject(result("a\r\nc\r\n"));
  expect(await wf("a\nb", "a\nc")).toMatchObject(result("a\nc"));
  expect(await wf("\uFEFFa\n", "b\n")).toMatchObject(result("\uFEFFb\n"));
  expect(await wf("a\r\nb\nc\r\n", "a\nx\nc\n")).toMatchObject(result("a\r\nx\nc\r\n"));
  expect(await lc("a\r\nb\r\nc", 2, 2, "x\ny")).toMatchObject(result("a\r\nx\r\ny\r\nc"));
  expect(await lc("a\r\nb", 2, 2, "x", slice)).toMatchObject(result("a\r\nb\r\nx"));
  expect(await sr("a\r\nb\r\n", "b", "x")).toMatchObject(result("a\r\nx\r\n"));
  expect(await wf("a\n", "")).toMatchObject(result(""));
});

test("an answer as text needs its format", async () => {
  await expect(applyEdit("a", "b")).rejects.toMatchObject({ code: "bad-request" });
});

test("no change, another language and another base text have different results", async () => {
  expect(await wf("a\n", "a")).toMatchObject({ status: "no-change" });
  expect(await wf("a", "b", { lang: "python" })).toMatchObject(refused("wrong-language"));
  expect(await wf("a", "b", { baseHash: hashText("z") })).toMatchObject(refused("base-changed"));
  expect(await wf("a", "b", { baseHash: hashText("a") })).toMatchObject(result("b"));
});

test("a property that every object has is not the name of a language", async () => {
  expect(await wf("x", "y", { lang: "constructor" })).toMatchObject(refused("wrong-language"));
  const named = fencedBlock("constructor", "y");
  expect(await run("x", named, { format: "wf", lang: "" })).toMatchObject(refused("wrong-language"));
  expect(await run("x", named, { format: "wf", lang: "constructor" })).toMatchObject(result("y"));
});

const broken = "def greet(:\n    pass\n\nx = 1\n";
const whole = "def greet():\n    pass\n\nx = 1\n";

/** The answer that turns one text into another, applied to a Python file. */
const edited = (from: string, to: string, format: Format) =>
  applyEdit(from, renderResponse(from, to, { format, lang: "python" }), { format, lang: "python" });

test.each(FORMATS)("an edit of a file that did not parse is applied with a note: %s", async (format) => {
  for (const after of [broken.replace("x = 1", "x = 2"), broken.replace("x = 1", "x = (1"), `# é\n${broken}`]) {
    const outcome = await edited(broken, after, format);
    expect(outcome).toMatchObject({ status: "applied", result: after });
    expect(outcome).toMatchObject({ notes: [expect.stringMatching(/does not parse: .* It did not parse before/)] });
  }
  expect(await edited(broken, whole, format)).toMatchObject({ status: "applied", notes: [] });
});

test.each(FORMATS)("an edit after which a file no longer parses is refused: %s", async (format) => {
  expect(await edited(whole, broken, format)).toMatchObject({
    ...refused("new-syntax-error"),
    refusal: { code: "new-syntax-error", line: 1, reason: expect.stringContaining("at line 1") },
  });
});

test("damaged Python files are never a reason to refuse an edit", async () => {
  const seed = fc.readConfigureGlobal()?.seed ?? Date.now();
  const texts = fc
    .sample(damagedPython, { numRuns: PROPERTY_RUNS, seed })
    .filter((text) => pythonSyntaxErrors(text).length > 0);
  expect(texts.length).toBeGreaterThan(PROPERTY_RUNS / 10);
  for (const [at, text] of texts.entries()) {
    const after = `${text}\nadded = ${at}\n`;
    const format = FORMATS[at % FORMATS.length] as Format;
    expect(await edited(text, after, format), `seed ${seed}, sample ${at}`).toMatchObject({
      status: "applied",
      result: after,
    });
  }
});

test("new code blocks are applied in docstrings, comments and Markdown, and nowhere else", async () => {
  const indented = 'def f():\n    """F.\n\n    ```python\n    f()\n    ```\n    """';
  expect(await run("x = 1", fencedBlock("python", indented), { format: "wf", lang: "python" })).toMatchObject(
    result(indented),
  );
  const comment = "/**\n * ```ts\n * f();\n * ```\n */";
  expect(await run("x", fencedBlock("ts", comment), { format: "wf", lang: "ts" })).toMatchObject(result(comment));
  const block = "# A\n\n```sh\nls\n```\n\n```python\nf()\n```";
  expect(await run("# A", fencedBlock("md", block), { format: "wf", lang: "markdown" })).toMatchObject(result(block));
  for (const prefix of ["", "  ", "    ", "> ", "\u200b"]) {
    const two = `a = 2\n${prefix}\`\`\`\n${prefix}\`\`\`toml\na = 3`;
    expect(await run("a = 1", fencedBlock("toml", two), { format: "wf", lang: "toml" })).toMatchObject(
      refused("ambiguous"),
    );
  }
});

test("a second version between tildes, or behind other ends of lines, is refused; titles may be underlined", async () => {
  const toml = (current: string, after: string) =>
    run(current, fencedBlock("toml", after), { format: "wf", lang: "toml" });
  for (const fence of ["~~~", "~~~~", "# ~~~"])
    expect(await toml("a = 1", `a = 2\n${fence}toml\na = 3\n${fence}`)).toMatchObject(refused("ambiguous"));
  for (const end of ["\u2028", "\u2029", "\x85", "\v", "\f", "\r"])
    expect(await toml("a = 1", `a = 2${end}\`\`\`${end}\`\`\`toml${end}a = 3`)).toMatchObject(refused("ambiguous"));
  expect(await toml("# ~~~\na = 1", "# ~~~\na = 2")).toMatchObject(result("# ~~~\na = 2"));
  expect(await toml("a = 1", "# Title\n# ~~~~~\na = 2")).toMatchObject(result("# Title\n# ~~~~~\na = 2"));
  const block = "# A\n\n~~~sh\nls\n~~~";
  expect(await run("# A", fencedBlock("md", block), { format: "wf", lang: "markdown" })).toMatchObject(result(block));
});

test("spaces at the ends of search lines are adapted with a note, and the lines of the file keep theirs", async () => {
  expect(await sr("a  \nb\n", "a\nb", "a\nc")).toMatchObject({
    ...result("a  \nc\n"),
    notes: [expect.stringContaining("in spaces at the end of lines")],
  });
  expect(await sr("a \nb\na  \nb", "a\nb", "x")).toMatchObject(refused("found-twice"));
});

test("a fence where the answer could end is no code", async () => {
  const edited = (current: string, after: string) =>
    run(current, fencedBlock("md", after), { format: "wf", lang: "markdown" });
  expect(await edited("# A\ntext\n```", "# B\ntext\n```")).toMatchObject(refused("ambiguous"));
  const code = "```\na\n```\ntext";
  expect(await edited(`# A\n${code}\n\`\`\`\nb\n\`\`\``, `# B\n${code}`)).toMatchObject(refused("ambiguous"));
  expect(await edited(`# A\n${code}`, `# B\n${code}`)).toMatchObject(result(`# B\n${code}`));
});

test("the syntax check and the final newline are choices", async () => {
  const warned = await applyEdit(whole, renderResponse(whole, broken, { format: "sr", lang: "python" }), {
    format: "sr",
    lang: "python",
    syntax: "warn",
  });
  expect(warned).toMatchObject({
    ...result(broken),
    notes: [expect.stringContaining("does not parse after the edit")],
  });
  expect(await wf("a\n", "b", { finalNewline: "answer" })).toMatchObject(result("b"));
  expect(await wf("a\n", "b\n", { finalNewline: "answer" })).toMatchObject(result("b\n"));
  expect(await wf("a\n", "b", { finalNewline: "keep" })).toMatchObject(result("b\n"));
});

test("a search finds lines that look alike, and the file's characters stay in those that are repeated", async () => {
  const file = "a\nsay(\u201chi\u201d)\nx\u00a0= 1\n";
  const search = 'say("hi")\nx = 1';
  expect(await sr(file, search, `${search}\ny`)).toMatchObject(result("a\nsay(\u201chi\u201d)\nx\u00a0= 1\ny\n"));
});

test("a search that is not found shows the nearest lines", async () => {
  expect(await sr("a = 1\nb = 2\nc = 3\n", "b = 2\nc = 4", "z")).toMatchObject({
    refusal: { hint: 'The nearest is line 2. Did you mean "b = 2", "c = 3"?' },
  });
});

test("a search that is not found says what differs", async () => {
  const reasonOf = async (file: string, search: string, options: ApplyOptions = {}) => {
    const outcome = await sr(file, search, "z", options);
    return outcome.status === "refused" ? outcome.refusal.reason : outcome.status;
  };
  expect(await reasonOf("a\n\ufb01x(1)\n", "fix(1)")).toBe(
    "Line 2 of the file has \ufb01 (U+FB01) where the search has f (U+0066).",
  );
  expect(await reasonOf("a\n\tb\n", "a\n    b")).toBe(
    "Line 2 of the file is indented with tabs, the search with spaces.",
  );
  expect(await reasonOf("a\nb", "c", { history: ["a\r\nc"] })).toBe("The search quotes an older version of the file.");
  expect(await reasonOf("a\nb", "c", { history: ["d"] })).toContain("is not in the file");
});

test("syntax that the app's Python does not have is refused", async () => {
  const edited = (python: "3.10" | "3.12") =>
    run("print(1)\n", fencedBlock("python", "print(f'{a['x']}')"), { format: "wf", lang: "python", python });
  expect(await edited("3.10")).toMatchObject({
    refusal: { code: "new-syntax-error", reason: expect.stringContaining("Python 3.10") },
  });
  expect(await edited("3.12")).toMatchObject(result("print(f'{a['x']}')\n"));
});
