import { WorkbenchError } from "../../robot/wire/errors.ts";
import { readFiles } from "../check/app/read-files.ts";
import { checkApp, type Report } from "../check/check-app.ts";
import { commitAll } from "./commit.ts";
import { Git } from "./git.ts";
import { HubAccount } from "./hub-account.ts";
import { push } from "./push.ts";
import { refused } from "./refused.ts";
import { initRepository, isRepository, remoteAt, spaceRemotes } from "./repository.ts";
import { standingOf } from "./standing.ts";
import { findToken } from "./token.ts";

export interface PublishOptions {
  /** The app's folder. */
  folder: string;
  /** Without a slash at the end. */
  hubUrl: string;
  /** Make the space for its owner only. */
  private: boolean;
  /** Of the commit. */
  message?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  /** Told of each stage that is done. */
  onStage(line: string): void;
  /** Shown the check of an app that is not published. */
  onReport(report: Report): void;
  /** Asked once, before anything is changed here or there. */
  confirm(question: string): Promise<boolean>;
}

export interface Published {
  /** Of the space. */
  address: string;
  /** The commit that the space stands at. */
  commit: string;
  /** False when it stood there already. */
  moved: boolean;
}

/**
 * Publishes an app: checks it, makes its space unless it is there, commits what is in the folder and pushes. Nothing is
 * ever forced. Returns null when the question is declined.
 * @throws WorkbenchError `app-invalid`, `check-failed`, `bad-request` from the check; `hub-token`, `hub-unreachable`,
 *   `publish-refused`; the signal's reason when aborted
 */
export async function publishApp(options: PublishOptions): Promise<Published | null> {
  const { folder, hubUrl, env, signal, onStage } = options;
  const name = await passedCheck(options);
  onStage("passed the check");
  const hub = new HubAccount(hubUrl, await findToken(env), signal);
  const user = await hub.user();
  onStage(`signed in as ${user}`);

  const git = new Git({ folder, env, hubUrl, user, token: hub.token, signal });
  const known = await isRepository(git, folder);
  const usual = `${hubUrl}/spaces/${user}/${name}`;
  const address = known ? await addressOf(git, usual, hubUrl) : usual;
  const id = address.slice(`${hubUrl}/spaces/`.length);
  const space = await hub.space(id);
  if (options.private && space?.private === false) {
    const next = "Make it private in its settings on the hub, or leave --private away.";
    throw refused(`${address} is public already. ${next}`);
  }
  const seenBy = (space?.private ?? options.private) ? "for yourself" : "for everybody to see";
  if (!(await options.confirm(`Publish ${name} at ${address}, ${seenBy}?`))) return null;

  if (!known) await initRepository(git);
  if (space === null) {
    await hub.makeSpace(id, options.private);
    onStage(`made ${address}`);
  }
  const remote = await remoteAt(git, hubUrl, address);
  const standing = await standingOf(git, remote, address);
  const checked = new Set((await readFiles(folder, signal)).keys());
  await commitAll(git, standing, checked, { message: options.message ?? `Publish ${name}`, user });
  return { address, ...(await push(git, remote, standing)) };
}

/** The app's name, when it may be published. */
async function passedCheck({ folder, signal, onReport }: PublishOptions): Promise<string> {
  const report = await checkApp(folder, signal);
  const secrets = report.results.some(({ id, findings }) => id === "PKG-011" && findings.length > 0);
  if (report.verdict === "conformant" && !secrets && report.app !== null) return report.app;
  onReport(report);
  if (report.verdict === "error") throw new WorkbenchError("check-failed", "The check itself broke; nothing was done.");
  if (report.verdict === "conformant") {
    throw refused("Not published: the app holds secrets. Mend PKG-011 above first.");
  }
  throw new WorkbenchError("app-invalid", "Not published: this is not yet a robot app. Mend what is marked ✗ above.");
}

/** Where the folder is published already, else where it will be. */
async function addressOf(git: Git, usual: string, hubUrl: string): Promise<string> {
  const known = [...(await spaceRemotes(git, hubUrl)).keys()];
  if (known.length === 0 || known.includes(usual)) return usual;
  if (known.length === 1) return known[0] ?? usual;
  throw new WorkbenchError(
    "publish-refused",
    `The folder has several spaces for remotes: ${known.join(", ")}. Keep one.`,
  );
}
