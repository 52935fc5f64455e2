import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

const page = readFileSync("docs/gate.md", "utf8");
const action = parse(readFileSync("action.yml", "utf8"));

test("docs/gate.md names every input and output of the action, and no other", () => {
  const [, inputs = "", outputs = ""] =
    /\| input \| \|\n([\s\S]*?)\n\n\| output \| \|\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const names = (table: string) => [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  expect(names(inputs)).toEqual(Object.keys(action.inputs));
  expect(names(outputs)).toEqual(Object.keys(action.outputs));
});
