// A step of npm run check: exports that no other file imports. The library's entry and the configurations of tools are used
// from elsewhere.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const ENTRIES = /(^edit\/index|\.config|vitest-seed)\.ts$/;
const DECLARED = /^export (?:async |abstract |declare )*(?:const|function\*?|class|interface|type|enum) (\w+)/gm;
const LIST = /^export (?:type )?\{([^}]*)\}/gm;
const IMPORTED = /\b(?:import|export)\s+(?:type\s+)?(?:\{([^}]*)\}|\*(?: as \w+)?)\s+from\s+"(\.[^"]+)"/g;

// Also files that are not in git yet; a file that was deleted is still listed.
const list = ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx", "*.mjs"];
const listed = execFileSync("git", list, { encoding: "utf8" }).split("\n").filter(existsSync);
const sources = new Map(
  listed
    .filter((file) => file !== "" && !file.includes("/templates/"))
    .map((file) => [file, readFileSync(file, "utf8")]),
);

/** Names by the file that they are imported from; `*` is all of them. @type {Map<string, Set<string>>} */
const imported = new Map();
/** All words of files that import at run time, or types by `import()`: what they take of a module is not resolved. */
const words = new Set();
for (const [file, text] of sources) {
  for (const [, names, from] of text.matchAll(IMPORTED)) {
    const source = path.join(path.dirname(file), String(from));
    if (!imported.has(source)) imported.set(source, new Set());
    for (const name of namesOf(names ?? "*", 0)) imported.get(source)?.add(name);
  }
  if (/\bimport\(|\bbuilt\(/.test(text)) for (const [word] of text.matchAll(/\w+/g)) words.add(word);
}

const unused = [...sources].flatMap(([file, text]) => {
  const used = imported.get(file) ?? new Set();
  if (!/\.tsx?$/.test(file) || ENTRIES.test(file) || used.has("*")) return [];
  const declared = [...text.matchAll(DECLARED)].map(([, name]) => String(name));
  const names = [...declared, ...[...text.matchAll(LIST)].flatMap(([, list]) => namesOf(list ?? "", -1))];
  return [...new Set(names)].filter((name) => !used.has(name) && !words.has(name)).map((name) => `${file}: ${name}`);
});
if (unused.length > 0)
  console.log(`No other file imports these; leave out "export", or remove them:\n${unused.join("\n")}`);
process.exitCode = unused.length === 0 ? 0 : 1;

/** @param {string} list of an import or export @param {0 | -1} side of `as`: the first or the last @returns {string[]} */
function namesOf(list, side) {
  const names = list.split(",").map((each) => each.replace(/\/\/.*|\btype\b(?=\s+\w)/g, "").trim());
  return names.filter((each) => each !== "").map((each) => String(each.split(/\s+as\s+/).at(side)));
}
