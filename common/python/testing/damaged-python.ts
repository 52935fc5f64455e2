import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";

/** The script that compiles texts with CPython. */
export const COMPILE_CHECK = fileURLToPath(new URL("compile_check.py", import.meta.url));

const SDK = "sdk/src/robot_sdk";
const sources = readdirSync(SDK)
  .filter((name) => name.endsWith(".py"))
  .map((name) => readFileSync(join(SDK, name), "utf8"));

const cut = (source: string, at: number, text: string, size = 1) => {
  const place = at % source.length;
  return source.slice(0, place) + text + source.slice(place + size);
};

/** Python source with damage as edits cause it: a line removed, doubled, re-indented or moved, a character changed. */
export const damagedPython: fc.Arbitrary<string> = fc
  .record({
    source: fc.constantFrom(...sources),
    at: fc.nat(),
    from: fc.nat(),
    kind: fc.nat(5),
    text: fc.constantFrom(..."()[]{}:,='\"\\#@", "\t", "    ", " if ", "def "),
  })
  .map(({ source, at, from, kind, text }) => {
    if (kind === 0) return cut(source, at, "");
    if (kind === 1) return cut(source, at, text, 0);
    const lines = source.split("\n");
    const place = at % lines.length;
    const other = lines[from % lines.length] ?? "";
    const put =
      [[], [lines[place] ?? "", other], [`    ${lines[place]}`], [(lines[place] ?? "").replace(/^ {4}/, "\t")]][
        kind - 2
      ] ?? [];
    return lines.toSpliced(place, 1, ...put).join("\n");
  });
