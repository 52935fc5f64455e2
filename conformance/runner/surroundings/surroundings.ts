import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { copyTree } from "../../../common/machine/copy-tree.ts";
import { DIALECTS } from "../../../robot/dialects/dialects.ts";
import type { Trespass } from "../../evidence/trespass.ts";
import type { Bind } from "../isolation/bubblewrap-options.ts";
import { INSIDE } from "../isolation/isolation-plan.ts";
import { filesForOthersIn } from "./home-files.ts";
import { startupFilesIn } from "./startup-files.ts";
import { changesBetween, listTree, type TreeListing } from "./tree-listing.ts";

/** Parts of the environment that an app finds as copies, so that what it writes there can be seen. */
const COPIED = [...new Set(DIALECTS.map(({ sdk }) => sdk.module))];
/** Bytes up to which a part is copied: an SDK with models in it is shown as it is, read-only. */
const MOST_COPIED_BYTES = 10_000_000;
const ADDED_CACHE = /^added (?:.*\/)?__pycache__(?:\/|$)/;
/** Another app that is installed beside the judged one. */
const OTHER_APP = "wave_back";
const OTHER_APP_FILES: Readonly<Record<string, string>> = {
  [`${OTHER_APP}/__init__.py`]: "",
  [`${OTHER_APP}/main.py`]: `from robot_sdk import RobotApp


class WaveBack(RobotApp):
    def run(self, robot, stop_event):
        stop_event.wait()


if __name__ == "__main__":
    WaveBack().wrapped_run()
`,
  [`${OTHER_APP}-0.1.0.dist-info/METADATA`]: `Metadata-Version: 2.1\nName: ${OTHER_APP}\nVersion: 0.1.0\n`,
  [`${OTHER_APP}-0.1.0.dist-info/entry_points.txt`]: `[robot_apps]\n${OTHER_APP} = ${OTHER_APP}.main:WaveBack\n`,
};
const SITE_PACKAGES = /^lib\/python3\.\d+\/site-packages$/;
/** Folders among the daemon's files that the app is shown from elsewhere. */
const SHOWN_APART: readonly string[] = [INSIDE.venv, INSIDE.work];
/** Bytes of a file that is searched for the token, and how many are. */
const SEARCHED_BYTES = 100_000;
const SEARCHED_FILES = 500;
/** Changes that are told. */
const MOST_TOLD = 5;

interface SurroundingsOptions {
  /** The Python environment with the app in it. */
  venv: string;
  /** A folder in the file system of the app. */
  folder: string;
  /** The home of the app, and the names under which it may have folders there. */
  home: string;
  names: readonly string[];
  /** The home of the person who certifies an app that could reach it; null where it could not. */
  authorHome: string | null;
  /** Folders that an app may write to, and in which it may leave the token. */
  writable: readonly string[];
  /** Whether the app sees copies of what it shares with others, and not the environment itself. */
  isSandboxed: boolean;
}

/**
 * What an app shares with others, as a daemon has it: the Python environment with the SDK and another app in it, and the
 * daemon's own files. Under bubblewrap they are copies that it can write to; what was written shows what it tried.
 */
export class Surroundings {
  readonly #options: SurroundingsOptions;
  /** Texts that nobody but the app should see: the access token of the daemon's files, and one that the app was given. */
  readonly tokens: string[] = [];
  #sitePackages = "";
  #files: TreeListing = new Map();
  #startup: TreeListing = new Map();

  constructor(options: SurroundingsOptions) {
    this.#options = options;
  }

  /** Makes everything as it was; call it while no app runs. @param token what the app is given; null: nothing */
  reset(token: string | null): void {
    const { isSandboxed } = this.#options;
    this.tokens.splice(0, this.tokens.length, ...(token === null ? [] : [token]));
    this.#sitePackages = this.#findSitePackages();
    if (isSandboxed) this.#makeCopies();
    this.begin();
  }

  /** What is there now is what the app finds. */
  begin(): void {
    this.#files = this.#listFiles();
    this.#startup = this.#listStartup();
  }

  /** What the app has changed since `begin`. */
  findTrespasses(): Trespass[] {
    // Python adds caches of what nobody has compiled.
    const changes = changesBetween(this.#files, this.#listFiles())
      .filter((change) => !ADDED_CACHE.test(change))
      .slice(0, MOST_TOLD);
    const left = changesBetween(this.#startup, this.#listStartup()).filter((change) => !change.startsWith("removed "));
    return [
      ...changes.map((what) => ({ kind: "environment", what }) as const),
      ...left.slice(0, MOST_TOLD).map((what) => ({ kind: "left-behind", what }) as const),
      ...this.#filesWithToken().map(
        (name) => ({ kind: "token", what: `wrote the access token into ${name}` }) as const,
      ),
    ];
  }

  /** What the app sees in the sandbox; after the environment itself. */
  binds(): Bind[] {
    const { venv } = this.#options;
    const [real, inside] = [join(venv, this.#sitePackages), join(INSIDE.venv, this.#sitePackages)];
    const own = this.#copied();
    return [
      { outside: this.#site, inside, writable: true },
      ...readdirSync(real)
        .filter((name) => !own.includes(name))
        .map((name) => ({ outside: join(real, name), inside: join(inside, name) })),
    ];
  }

  /** The daemon's files, as the app sees them; before the environment, which is among them. */
  dataFolder(): Bind {
    return { outside: this.#data, inside: INSIDE.data, writable: true };
  }

  get #site(): string {
    return join(this.#options.folder, "site-packages");
  }

  get #data(): string {
    return join(this.#options.folder, "data");
  }

  #findSitePackages(): string {
    const { venv } = this.#options;
    const lib = join(venv, "lib");
    const folders = existsSync(lib) ? readdirSync(lib).map((name) => `lib/${name}/site-packages`) : [];
    return folders.find((name) => SITE_PACKAGES.test(name) && existsSync(join(venv, name))) ?? "";
  }

  /** Names in site-packages that are copies, or only there in the sandbox. */
  #copied(): string[] {
    const real = join(this.#options.venv, this.#sitePackages);
    const others = [...new Set(Object.keys(OTHER_APP_FILES).map((name) => name.split("/")[0] ?? ""))];
    return [
      ...COPIED.filter((name) => existsSync(join(real, name)) && bytesIn(join(real, name)) <= MOST_COPIED_BYTES),
      ...others.filter((name) => !existsSync(join(real, name))),
    ];
  }

  #makeCopies(): void {
    const real = join(this.#options.venv, this.#sitePackages);
    for (const folder of [this.#site, this.#data]) rmSync(folder, { recursive: true, force: true });
    mkdirSync(this.#site, { recursive: true });
    const copied = this.#copied();
    for (const name of readdirSync(real)) {
      // The places at which bubblewrap shows the others, read-only.
      if (copied.includes(name)) copyTree(join(real, name), join(this.#site, name));
      else if (statSync(join(real, name)).isDirectory()) mkdirSync(join(this.#site, name));
      else writeFileSync(join(this.#site, name), "");
    }
    for (const [name, text] of Object.entries(OTHER_APP_FILES)) {
      if (!copied.includes(name.split("/")[0] ?? "")) continue;
      mkdirSync(join(this.#site, name, ".."), { recursive: true });
      writeFileSync(join(this.#site, name), text);
    }
    for (const name of SHOWN_APART) mkdirSync(join(this.#data, relative(INSIDE.data, name)), { recursive: true });
    mkdirSync(join(this.#data, "logs"));
    const token = randomBytes(32).toString("base64url");
    writeFileSync(join(this.#data, "access-token"), `${token}\n`, { mode: 0o600 });
    writeFileSync(join(this.#data, "settings.json"), '{\n  "startupApp": null\n}\n');
    this.tokens.push(token);
  }

  #listFiles(): TreeListing {
    const { isSandboxed, venv } = this.#options;
    if (!isSandboxed) return listTree(join(venv, this.#sitePackages), isCache);
    // Of the daemon's files, the environment and the working folder are shown by themselves.
    const data = listTree(this.#data, (name) => SHOWN_APART.includes(join(INSIDE.data, name)));
    const site = listTree(this.#site);
    return new Map([...site, ...[...data].map(([name, status]) => [`${join(INSIDE.data, name)}`, status] as const)]);
  }

  #listStartup(): TreeListing {
    const { home, names, authorHome } = this.#options;
    const ofAuthor = authorHome === null ? [] : startupFilesIn(authorHome);
    return new Map([
      ...filesForOthersIn(home, names),
      ...[...ofAuthor].map(([name, status]) => [join(authorHome ?? "", name), status] as const),
    ]);
  }

  #filesWithToken(): string[] {
    if (this.tokens.length === 0) return [];
    const found: string[] = [];
    let left = SEARCHED_FILES;
    for (const folder of this.#options.writable)
      for (const name of listTree(folder).keys()) {
        left -= 1;
        if (left < 0) return found;
        const path = join(folder, name);
        const status = statSync(path, { throwIfNoEntry: false });
        if (status === undefined || !status.isFile() || status.size > SEARCHED_BYTES) continue;
        const text = readFileSync(path, "latin1");
        if (this.tokens.some((token) => text.includes(token))) found.push(name);
      }
    return found;
  }
}

/** Bytes of the files in a folder, or more than `MOST_COPIED_BYTES`. */
function bytesIn(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > MOST_COPIED_BYTES) break;
  }
  return bytes;
}

/** Python writes its own caches. */
const isCache = (name: string): boolean => name.endsWith("__pycache__");
