import { realpath } from "node:fs/promises";
import type { Git } from "./git.ts";
import { refused } from "./refused.ts";

/** The branch that the hub shows and the daemon installs from. */
export const BRANCH = "main";

/**
 * Whether the folder is a git repository of its own already.
 * @throws WorkbenchError `publish-refused` when it is part of a larger one
 */
export async function isRepository(git: Git, folder: string): Promise<boolean> {
  const top = await git.attempt("rev-parse", "--show-toplevel");
  if (top === (await realpath(folder))) return true;
  if (top === null || (await git.run("ls-files", "--", ".")) === "") return false;
  const next = "Move it to a folder of its own, or take it out of that repository (git rm -r --cached).";
  throw refused(`${folder} is part of the git repository ${top}, and a space needs one of its own. ${next}`);
}

/** Makes the folder a git repository. */
export async function initRepository(git: Git): Promise<void> {
  await git.run("init", "--quiet", `--initial-branch=${BRANCH}`);
}

/** The remotes that are spaces of a hub: name by address. */
export async function spaceRemotes(git: Git, hubUrl: string): Promise<Map<string, string>> {
  const printed = (await git.attempt("config", "--get-regexp", "^remote\\..*\\.url$")) ?? "";
  const found = printed.split("\n").map((line) => /^remote\.(.*)\.url (.*?)(?:\.git)?\/?$/.exec(line));
  const remotes = found.flatMap((match): [string, string][] => (match ? [[match[2] ?? "", match[1] ?? ""]] : []));
  return new Map(remotes.filter(([address]) => address.startsWith(`${hubUrl}/spaces/`)));
}

/** The name of the remote at an address, which is added unless it is there: origin, or space where that is taken. */
export async function remoteAt(git: Git, hubUrl: string, address: string): Promise<string> {
  const known = (await spaceRemotes(git, hubUrl)).get(address);
  if (known !== undefined) return known;
  const names = (await git.run("remote")).split("\n");
  const name = ["origin", "space"].find((each) => !names.includes(each)) ?? `space-${names.length}`;
  await git.run("remote", "add", name, address);
  return name;
}
