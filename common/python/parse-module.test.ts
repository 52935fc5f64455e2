import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { askPython } from "../testing/ask-python.ts";
import { parseModule } from "./parse-module.ts";
import { type Parameter, type Parameters, type PythonNode, walk } from "./syntax-tree.ts";

const OUTLINE = fileURLToPath(new URL("testing/tree_outline.py", import.meta.url));

const sources = ["sdk/src", "sdk/tests", "fixtures/apps", "assistant/create/templates"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)))
  .filter((path) => path.endsWith(".py"));

const pairs = (each: readonly Parameter[]) => each.map(({ name, hasDefault }) => [name, hasDefault]);

function parametersOutline({ positionalOnly, positional, variadic, keywordOnly, keywords }: Parameters): unknown {
  return {
    positional: pairs([...positionalOnly, ...positional]),
    positionalOnly: positionalOnly.length,
    variadic: variadic ?? null,
    keywordOnly: pairs(keywordOnly),
    keywords: keywords ?? null,
  };
}

/** A node as testing/tree_outline.py writes it; undefined for kinds that it leaves out. */
function outlineOf(node: PythonNode): unknown[] | undefined {
  const { line } = node;
  switch (node.kind) {
    case "ClassDef":
      return [line, "class", node.name, node.bases.length];
    case "FunctionDef":
      return [line, "def", node.name, [node.isAsync, parametersOutline(node.parameters)]];
    case "Import":
      return [line, "import", "", node.names.map(({ name, alias }) => [name, alias ?? null])];
    case "ImportFrom": {
      const names = node.names.map(({ name, alias }) => [name, alias ?? null]);
      return [line, "from", node.module, [node.level, names]];
    }
    case "Call":
      return [line, "call", "", 0];
    case "Attribute":
      return [line, "attribute", node.attribute, 0];
    case "Name":
      return [line, "name", node.id, 0];
    case "Compare":
      return [line, "compare", "", node.operators];
    case "Tuple":
      return [line, "tuple", "", node.elements.length];
    case "Try": {
      const handlers = node.handlers.map(({ type }) => type !== undefined);
      return [line, "try", "", [node.body.length, handlers, node.finalbody.length]];
    }
    case "While":
      return [line, "while", "", 0];
    case "Assign":
      return [line, "assign", "", node.targets.length];
    case "AnnAssign":
      return [line, "annotated", "", node.value !== undefined];
    case "None":
      return [line, "none", "", 0];
    default:
      return undefined;
  }
}

function nodesOf(source: string): PythonNode[] {
  const parsed = parseModule(source);
  if ("error" in parsed) throw new Error(parsed.error.message);
  return parsed.value.body.flatMap((statement) => [...walk(statement)]);
}

test("the syntax tree has the same nodes as CPython's ast", async () => {
  expect(sources.length).toBeGreaterThan(50);
  const texts = sources.map((path) => readFileSync(path, "utf8"));
  const expected = await askPython<string[]>(OUTLINE, texts);
  for (const [at, text] of texts.entries()) {
    const found = nodesOf(text).flatMap((node) => {
      const entry = outlineOf(node);
      return entry === undefined ? [] : [JSON.stringify(entry)];
    });
    const entries = expected[at]?.map((entry) => JSON.stringify(JSON.parse(entry)));
    expect(found.sort(), sources[at]).toEqual(entries?.sort());
  }
});

test("nodes have their text and line after any characters and line ends", () => {
  const source =
    '\uFEFF# é 😀\r\nx = """a\nb"""; y = "ü" "\\n\\x41\\u00e9"  # z\r\n@decorated\nclass Übung(Basis): pass\n';
  const nodes = nodesOf(source);
  const texts = nodes.map(({ line, text }) => `${line} ${text}`);
  expect(texts).toContain('2 """a\nb"""');
  expect(texts).toContain('3 y = "ü" "\\n\\x41\\u00e9"');
  expect(nodes.flatMap((node) => (node.kind === "String" ? [node.value] : []))).toEqual(["a\nb", "ü\nAé"]);
  expect(nodes.find(({ kind }) => kind === "ClassDef")).toMatchObject({ line: 5, name: "Übung" });
});

test("children are the same objects as the nodes in the fields", () => {
  const [statement] = nodesOf("try:\n    f(x)\nexcept E:\n    pass\n");
  if (statement?.kind !== "Try") throw new Error("not parsed as a try statement");
  expect(statement.children).toContain(statement.body[0]);
  expect(statement.children).toContain(statement.handlers[0]?.type);
});

test("a syntax error has its line", () => {
  expect(parseModule("x = 1\ndef f(:\n")).toMatchObject({ error: { line: 2 } });
});
