import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { execa } from "execa";
import { expect, test } from "vitest";
import { REFUSALS } from "./refusal.ts";

const editing = readFileSync("docs/editing.md", "utf8");

test("docs/editing.md explains every refusal and nothing else", () => {
  const section = editing.slice(editing.indexOf("## Refusals"), editing.indexOf("## Line end"));
  const named = [...section.matchAll(/\*\*([a-z-]+)\*\*/g)].map(([, code]) => code);
  expect(named.sort()).toEqual(Object.keys(REFUSALS).sort());
});

test("the library's example runs unchanged, by the package's name", async () => {
  const [, example = ""] = /```js\n([\s\S]*?)\n```/.exec(editing) ?? [];
  // Inside of the package, so that its name means its own build.
  const file = "dist/editing-example.mjs";
  writeFileSync(file, example);
  const { stdout } = await execa("node", [file]).finally(() => rmSync(file));
  expect(stdout).toBe("<|next_start|>\nx = 3\ny = 2\n\nfunction");
});
