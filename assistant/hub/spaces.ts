import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Card } from "./card.ts";
import { cardOf } from "./card.ts";
import { git, tryGit } from "./git.ts";
import { Refusal } from "./refusal.ts";
import { addCommit, BRANCH, type Changes, fileAt, initRepository } from "./repository.ts";

const Settings = z.object({ private: z.boolean(), sdk: z.string(), createdAt: z.string() });

/** A repository of the hub. */
export interface Space extends z.infer<typeof Settings> {
  owner: string;
  name: string;
  /** `owner/name`. */
  id: string;
  /** Folder of its bare git repository. */
  repository: string;
}

/** What a space's newest commit says of it. */
export interface Head {
  sha: string;
  /** ISO 8601. */
  lastModified: string;
  card: Card;
}

const NAME = /^[A-Za-z0-9][\w.-]{0,95}$/;

/** The spaces in a folder: one bare repository each, `OWNER/NAME.git`. */
export class Spaces {
  readonly folder: string;
  readonly #now: () => number;
  /** By commit, which never changes. */
  readonly #heads = new Map<string, Head>();

  /** @param now milliseconds since the Unix epoch */
  constructor(folder: string, now: () => number) {
    this.folder = folder;
    this.#now = now;
  }

  /** Sorted by id. */
  async list(): Promise<Space[]> {
    const owners = await readdir(this.folder).catch(() => []);
    const spaces = await Promise.all(
      owners.map(async (owner) => {
        const names = await readdir(path.join(this.folder, owner));
        return Promise.all(names.map((name) => this.find(owner, name.replace(/\.git$/, ""))));
      }),
    );
    const found = spaces.flat().filter((space) => space !== null);
    return found.sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  async find(owner: string, name: string): Promise<Space | null> {
    if (!isName(owner) || !isName(name)) return null;
    const repository = path.join(this.folder, owner, `${name}.git`);
    const text = await readFile(settingsIn(repository), "utf8").catch(() => null);
    if (text === null) return null;
    return { owner, name, id: `${owner}/${name}`, repository, ...Settings.parse(JSON.parse(text)) };
  }

  /** Makes a space with its first commit. @throws Refusal 400, 409 */
  async create(wish: { owner: string; name: string; private: boolean; sdk: string; files?: Changes }): Promise<Space> {
    const { owner, name, sdk } = wish;
    if (!isName(owner) || !isName(name)) throw new Refusal(400, `${owner}/${name} is no name of a space`);
    if ((await this.find(owner, name)) !== null) throw new Refusal(409, "You already created this space repo");
    const repository = path.join(this.folder, owner, `${name}.git`);
    await rm(repository, { recursive: true, force: true });
    await mkdir(repository, { recursive: true });
    await initRepository(repository);
    const time = this.#now();
    const readme = Buffer.from(`---\ntitle: ${name}\nsdk: ${sdk}\n---\n`);
    const changes = wish.files ?? new Map([["README.md", readme]]);
    await addCommit(repository, { author: owner, message: "initial commit", changes, parent: null, time });
    const settings = { private: wish.private, sdk, createdAt: new Date(time).toISOString() };
    // Last, so that a space is there all the way or not at all.
    await writeFile(settingsIn(repository), JSON.stringify(settings));
    return { owner, name, id: `${owner}/${name}`, repository, ...settings };
  }

  async delete({ repository }: Space): Promise<void> {
    await rm(settingsIn(repository));
    await rm(repository, { recursive: true, force: true });
  }

  /** Adds a commit to the branch. Returns its id. @throws Refusal 422 */
  async commit({ repository }: Space, author: string, message: string, changes: Changes): Promise<string> {
    const parent = await tryGit(repository, ["rev-parse", "--verify", "--quiet", BRANCH]);
    return addCommit(repository, { author, message, changes, parent, time: this.#now() });
  }

  /** What the newest commit says. */
  async headOf({ repository }: Space): Promise<Head> {
    const ref = await readFile(path.join(repository, "refs/heads", BRANCH), "utf8").catch(() => "");
    const sha = ref.trim();
    const known = this.#heads.get(sha);
    if (known !== undefined) return known;
    const date = await git(repository, ["show", "--no-patch", "--format=%cI", sha]);
    const readme = await fileAt(repository, sha, "README.md").catch(() => null);
    const lastModified = new Date(date.toString("utf8").trim()).toISOString();
    const head = { sha, lastModified, card: cardOf(readme?.content.toString("utf8") ?? "") };
    this.#heads.set(sha, head);
    return head;
  }
}

function isName(text: string): boolean {
  return NAME.test(text) && !text.includes("..") && !text.endsWith(".git");
}

function settingsIn(repository: string): string {
  return path.join(repository, "space.json");
}
