import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

/** `{ a, b } = await built("…")`, also without the names. */
const BUILT_CALL = /(?:\{([^{}]*)\} = await )?built\("([\w./-]+)\.js"\)/g;
/** `import { a, b } from "./dist/…"`: in a program that a test hands to Node.js as a text. */
const BUILT_IMPORT = /import \{([^{}]*)\} from "\.\/dist\/([\w./-]+)\.js"/g;
/** `{ a, b } = await import(new URL("../../dist/…"`, also without the import. */
const BUILT_URL = /(?:\{([^{}]*)\} = await import\()?new URL\("[./]+\/dist\/([\w./-]+)\.js"/g;

interface BuiltModule {
  usedBy: string;
  source: string;
  names: string[];
}

function modulesUsedBy(file: string): BuiltModule[] {
  const text = readFileSync(file, "utf8");
  return [BUILT_CALL, BUILT_IMPORT, BUILT_URL].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, names = "", module = ""]) => ({
      usedBy: file,
      source: `${module}.ts`,
      names: names.split(",").flatMap((name) => name.split(/:| as /)[0]?.trim() || []),
    })),
  );
}

// The compiler does not see what is imported from the build by a text.
test("every module that is imported from the build has a source, and exports the names that are used of it", async () => {
  const files = execFileSync("git", ["ls-files", "*.ts", "*.mjs"], { encoding: "utf8" }).trim().split("\n");
  const used = files.filter((file) => existsSync(file)).flatMap(modulesUsedBy);
  expect(used.length).toBeGreaterThan(20);
  for (const { usedBy, source, names } of used) {
    expect(existsSync(source), `${usedBy} imports ${source}`).toBe(true);
    if (names.length === 0) continue;
    const exported = Object.keys(await import(/* @vite-ignore */ resolve(source)));
    expect(exported, `${usedBy} imports ${names} from ${source}`).toEqual(expect.arrayContaining(names));
  }
});
