import { existsSync } from "node:fs";
import { appendFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { pastVersions } from "./past-versions.ts";

let folder: string;
let program: string;
const ran = () => existsSync(join(folder, "ran"));

/** Runs git, and returns its output. */
async function git(args: readonly string[], input = ""): Promise<string> {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
  return (await execa("git", [...identity, ...args], { cwd: folder, input })).stdout;
}

const configure = (text: string) => appendFile(join(folder, ".git/config"), text);

/** The older versions of a file, whose content is "now". */
const versions = (name = "main.py") =>
  pastVersions(join(folder, name), "now\n", {
    source: "git",
    limit: 5,
    journal: [],
    signal: new AbortController().signal,
  });

beforeEach(async () => {
  folder = temporaryFolder("history-");
  program = join(folder, "program.sh");
  await writeFile(program, `#!/bin/sh\ntouch '${join(folder, "ran")}'\ncat "$1"\n`, { mode: 0o755 });
  await git(["init", "--quiet"]);
  for (const content of ["one\n", "two\n"]) {
    await writeFile(join(folder, "main.py"), content);
    await git(["add", "main.py"]);
    await git(["commit", "--quiet", "--message", content]);
  }
});

/** What a repository can make git start when somebody reads its history. */
const HOSTILE: [what: string, make: () => Promise<unknown>][] = [
  [
    "a program that verifies signatures",
    async () => {
      const lines = (await git(["cat-file", "commit", "HEAD"])).split("\n");
      const end = lines.indexOf("");
      const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----";
      const signed = [...lines.slice(0, end), signature, ...lines.slice(end), ""].join("\n");
      await git(["reset", "--soft", await git(["hash-object", "-t", "commit", "-w", "--stdin"], signed)]);
      await configure(`[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${program}\n`);
    },
  ],
  [
    "programs that watch, filter, compare and show files",
    async () => {
      await writeFile(join(folder, ".gitattributes"), "* filter=x diff=x\n");
      await configure(`[core]\n\tfsmonitor = ${program}\n\tpager = ${program}\n\thooksPath = .\n`);
      await configure(`[filter "x"]\n\tsmudge = ${program}\n\tclean = ${program}\n`);
      await configure(`[diff "x"]\n\ttextconv = ${program}\n\tcommand = ${program}\n`);
    },
  ],
];

test.each(HOSTILE)("the history of a repository with %s is read, and none of them runs", async (_, make) => {
  await make();
  expect(await versions()).toEqual(["one\n", "two\n"]);
  expect(ran()).toBe(false);
});

test("a commit in the place of a file is left out, and its content is not shown with the repository's programs", async () => {
  await writeFile(join(folder, ".gitattributes"), "* diff=x\n");
  await configure(`[diff "x"]\n\ttextconv = ${program}\n`);
  await git(["update-index", "--add", "--cacheinfo", `160000,${await git(["rev-parse", "HEAD"])},other.py`]);
  await git(["commit", "--quiet", "--message", "a commit as a file"]);
  expect(await versions("other.py")).toEqual([]);
  expect(ran()).toBe(false);
});

test.each(["file", "ext"])("what a repository leaves out is not fetched by its programs: %s", async (protocol) => {
  const blob = await git(["rev-parse", "HEAD~1:main.py"]);
  await rm(join(folder, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  const url = protocol === "file" ? folder : `ext::${program}`;
  await configure(`[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n`);
  await configure(`[protocol]\n\tallow = always\n`);
  await configure(`[remote "origin"]\n\turl = ${url}\n\tpromisor = true\n\tuploadpack = ${program}\n`);
  expect(await versions()).toEqual(["two\n"]);
  expect(ran()).toBe(false);
});
