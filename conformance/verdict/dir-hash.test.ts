import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { dirHashOf } from "./dir-hash.ts";

type Refused = [what: string, add: (folder: string) => void, message: RegExp];

/** The digest as a person computes it. */
const DIGEST =
  "find -L . -type f | cut -c3- | LC_ALL=C sort | tr '\\n' '\\0' | xargs -0 -r sha256sum -- | sha256sum | cut -f1 -d' '";
const digestByTools = (folder: string): string =>
  execFileSync("sh", ["-c", DIGEST], { cwd: folder, encoding: "utf8" }).trim();

function project(): string {
  const folder = temporaryFolder("robot-dir-hash-");
  writeFileSync(join(folder, "main.py"), "print()\n");
  return folder;
}

test.each<Refused>([
  [
    "a link out of the folder",
    (folder: string) => symlinkSync("/etc/hosts", join(folder, "a")),
    /^a is .* to \/etc\/hosts,/,
  ],
  ["a link to nothing", (folder: string) => symlinkSync("b", join(folder, "a")), /^a is a symbolic link to b, which/],
  [
    "a link to a folder around it",
    (folder: string) => symlinkSync(".", join(folder, "a")),
    /^a is a symbolic link to \./,
  ],
  ["a pipe", (folder: string) => void execFileSync("mkfifo", [join(folder, "pipe")]), /^pipe is neither a file nor/],
  [
    "a name that looks like the line of another file",
    (folder: string) => writeFileSync(join(folder, `a\n${"0".repeat(64)}  b.py`), "1"),
    /has a line break, another control character or a backslash in its name: rename the file/,
  ],
  [
    "a name that is a path on other systems",
    (folder: string) => {
      mkdirSync(join(folder, "parts"));
      for (const name of ["parts/part.py", "parts\\part.py"]) writeFileSync(join(folder, name), "1");
    },
    /"parts\\\\part.py" has .* a backslash in its name: rename the file/,
  ],
  [
    "a name that is not UTF-8",
    (folder: string) => writeFileSync(Buffer.concat([Buffer.from(join(folder, "a")), Buffer.from([0xff])]), "1"),
    /"a�" has a name that is not UTF-8: rename it/,
  ],
  ...[
    ["another case", "Main.py", "Main.py and main.py differ only in case"],
    ["another case of its folder", "docs/one", "DOCS and docs differ only in case"],
    ["another normal form", "\u00e9.py", "differ only in case or Unicode form"],
    ["another case of one letter for two", "stra\u00dfe.py", "differ only in case or Unicode form"],
  ].map(([what, name = "", message = ""]): Refused => {
    const add = (folder: string) => {
      for (const each of [name, "DOCS/two", "e\u0301.py", "STRASSE.py"]) {
        mkdirSync(dirname(join(folder, each)), { recursive: true });
        writeFileSync(join(folder, each), "1");
      }
    };
    return [`two names of ${what}`, add, new RegExp(message)];
  }),
])("%s is refused", async (_, add, message) => {
  const folder = project();
  add(folder);
  await expect(dirHashOf(folder)).rejects.toMatchObject({
    code: "bad-request",
    message: expect.stringMatching(message),
  });
});

test("links inside the folder are covered as what they lead to, as find -L does it", async () => {
  const folder = project();
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs/page.md"), "# Page\n");
  symlinkSync("main.py", join(folder, "other.py"));
  symlinkSync(join(folder, "docs"), join(folder, "pages"));
  const before = await dirHashOf(folder);
  expect(before).toBe(digestByTools(folder));
  writeFileSync(join(folder, "docs/page.md"), "# Another\n");
  expect(await dirHashOf(folder)).not.toBe(before);
});

/** Parts of names that some system, tool or encoding takes for another one, or for more than one. */
const part = fc.constantFrom(
  ...["a", "A", "b", "a\\b", "a b", "a'b", 'a"', "$(a)", "*", "a\nb", "a\r", "a\u2028b", "--help", "\ufeffa", "\ufffd"],
  ...[
    "\u00e9",
    "e\u0301",
    "\u00df",
    "ss",
    "SS",
    "\u017f",
    "s",
    "K",
    "\u212a",
    "i",
    "\u0130",
    "a.",
    "a ",
    " a",
    "\ud83e\udd16",
  ],
);
const files = fc.uniqueArray(
  fc.record({ path: fc.array(part, { minLength: 1, maxLength: 3 }), content: fc.constantFrom("", "1", "2  a\n") }),
  { minLength: 1, maxLength: 6, selector: ({ path }) => path.join("/") },
);

/** Writes what fits beside what is there. @returns the contents by their paths */
function write(folder: string, all: readonly { path: readonly string[]; content: string }[]): Map<string, string> {
  const written = new Map<string, string>();
  for (const { path, content } of all)
    try {
      mkdirSync(dirname(join(folder, ...path)), { recursive: true });
      writeFileSync(join(folder, ...path), content);
      written.set(path.join("/"), content);
    } catch {
      // A file is where another one has its folder.
    }
  return written;
}

test("two folders with one digest are equal, and each file counts", async () => {
  const hash = (folder: string) => dirHashOf(folder).catch(({ code }) => code as string);
  let hashed = 0;
  await fc.assert(
    fc.asyncProperty(files, files, async (one, other) => {
      const [first, second] = [temporaryFolder("robot-dir-hash-"), temporaryFolder("robot-dir-hash-")];
      const [all, others] = [write(first, one), write(second, other)];
      const [digest, otherDigest] = [await hash(first), await hash(second)];
      if (digest === "bad-request") return;
      hashed += 1;
      if (digest === otherDigest) expect(others).toEqual(all);
      expect(digest).toBe(digestByTools(first));
      for (const [path, content] of all) {
        writeFileSync(join(first, path), `${content}!`);
        expect(await hash(first), path).not.toBe(digest);
        writeFileSync(join(first, path), content);
      }
      expect(await hash(first)).toBe(digest);
    }),
    { numRuns: 100 },
  );
  expect(hashed).toBeGreaterThan(20);
});
