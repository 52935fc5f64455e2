import { realpath } from "node:fs/promises";
import { publishRefused } from "../publish-refused.ts";
import type { Git } from "./git.ts";

/** The branch of a space that the hub shows and the daemon installs from. */
export const BRANCH = "main";

/**
 * Whether the folder is a git repository of its own already.
 * @throws WorkbenchError `publish-refused` when it is part of a larger one
 */
export async function isRepository(git: Git, folder: string): Promise<boolean> {
  const top = await git.tryRun("rev-parse", "--show-toplevel");
  if (top === (await realpath(folder))) return true;
  if (top === null || (await git.run("ls-files", "--", ".")) === "") return false;
  const next = "Move it to another folder, or remove it from that repository (git rm -r --cached).";
  throw publishRefused(`${folder} is part of the git repository ${top}, and a space needs one of its own. ${next}`);
}

/** Creates a git repository in the folder. */
export async function initRepository(git: Git): Promise<void> {
  await git.run("init", "--quiet", `--initial-branch=${BRANCH}`);
}

/** The remotes that are spaces of a hub: names by address. */
export async function spaceRemotes(git: Git, hubUrl: string): Promise<Map<string, string>> {
  const printed = (await git.tryRun("config", "--get-regexp", "^remote\\..*\\.url$")) ?? "";
  const found = printed.split("\n").map((line) => /^remote\.(.*)\.url (.*?)(?:\.git)?\/?$/.exec(line));
  const remotes = found.flatMap((match): [string, string][] => (match ? [[match[2] ?? "", match[1] ?? ""]] : []));
  return new Map(remotes.filter(([address]) => address.startsWith(`${hubUrl}/spaces/`)));
}

/** The name of the remote with an address. A missing one is added as origin, or as space when origin is in use. */
export async function remoteAt(git: Git, hubUrl: string, address: string): Promise<string> {
  const known = (await spaceRemotes(git, hubUrl)).get(address);
  if (known !== undefined) return known;
  const names = (await git.run("remote")).split("\n");
  const name = ["origin", "space"].find((each) => !names.includes(each)) ?? `space-${names.length}`;
  await git.run("remote", "add", name, address);
  return name;
}
