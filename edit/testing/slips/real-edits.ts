import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { parse } from "yaml";
import { checkSyntax } from "../../apply/syntax.ts";
import { languageOfFile } from "../../formats/language-name.ts";
import { comparable } from "../../text/look-alikes.ts";
import { type Random, randomOf } from "./random.ts";

/** A file before and after an edit. */
export interface RealEdit {
  lang: string;
  before: string;
  after: string;
}

/** Number of edits. */
const REAL_EDITS = 600;
/** Longer files, in characters, are left out: the properties try each edit many times. */
const MAX_FILE = 8_000;
const FOLDERS = [
  "sdk/src",
  "fixtures/apps",
  "assistant/create/templates",
  "docs",
  "fixtures/control-apps",
  "lab/fidelity",
];
const SKIPPED = /^(?:__pycache__|node_modules|build|dist|images|data|\..*|.*\.egg-info)$/;

/** The changes of the broken apps, there and back, then changes of files of the tree. */
export async function realEdits(): Promise<RealEdit[]> {
  const edits: RealEdit[] = [];
  const add = async (edit: RealEdit) => {
    // Such a change is what a slip looks like.
    if (comparable(edit.before) === comparable(edit.after)) return;
    if ((await checkSyntax(edit.before, edit.after, { lang: edit.lang })).refusal === undefined) edits.push(edit);
  };
  for (const { lang, before, after } of brokenApps()) {
    await add({ lang, before, after });
    await add({ lang, before: after, after: before });
  }
  const files = FOLDERS.flatMap(filesBelow).sort();
  for (let seed = 0; edits.length < REAL_EDITS; seed += 1) {
    const random = randomOf(seed);
    const path = random.pick(files);
    const edit = changed(random, languageOfFile(path), readFileSync(path, "utf8"));
    if (edit !== undefined) await add(edit);
  }
  return edits.slice(0, REAL_EDITS);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (SKIPPED.test(entry.name)) return [];
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() && languageOfFile(path) !== "" && extname(path) !== ".json" ? [path] : [];
  });
}

interface Change {
  file: string;
  find?: string;
  put?: string;
}

function brokenApps(): RealEdit[] {
  const read = (name: string) => parse(readFileSync(`fixtures/broken-apps/${name}.yaml`, "utf8")) as object;
  const static_ = Object.values(read("mutants")).map((change: Change) => ({ app: "hello_robot", changes: [change] }));
  const running = Object.values(read("running")) as { app: string; changes: Change[] }[];
  return [...static_, ...running].flatMap(({ app, changes: [change] }) => {
    if (change?.find === undefined) return [];
    const before = readFileSync(join("fixtures/apps", app, change.file), "utf8");
    const after = before.replace(change.find, () => change.put ?? "");
    return before === after || before.length > MAX_FILE ? [] : [{ lang: languageOfFile(change.file), before, after }];
  });
}

/** A file with one to three lines changed, deleted or moved; undefined when it is too long. */
function changed(random: Random, lang: string, before: string): RealEdit | undefined {
  if (before.length > MAX_FILE || !before.endsWith("\n")) return undefined;
  const lines = before.split("\n");
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    if (lines.length < 2) return undefined;
    const at = random.below(lines.length - 1);
    const line = lines[at] as string;
    const how = random.below(5);
    if (how === 0) lines.splice(at, 1 + random.below(3));
    else if (how === 1) lines.splice(at, 0, lines[random.below(lines.length)] as string, line);
    else if (how === 2) lines[at] = line.replace(/\d+/, (number) => String(Number(number) + 1));
    else lines[at] = line.replace(/[a-z]{4,}/, (word) => `${word}_two`);
  }
  const after = lines.join("\n");
  return after === before ? undefined : { lang, before, after };
}
