import { WorkbenchError } from "../../robot/wire/errors.ts";
import { type CheckReport, checkFiles, readApp } from "../check/check-app.ts";
import { digestFiles, type FileDigests, requireUnchanged, withGeneratedFiles } from "./checked-files.ts";
import { type GateOptions, passGate } from "./gate/gate.ts";
import { authorOptions, commitAll } from "./git/commit.ts";
import { Git } from "./git/git.ts";
import { fetchRemoteStatus, initRepository, isRepository, push, remoteAt, spaceRemotes } from "./git/repository.ts";
import { commitOnHub, hasLargeFiles, openPullRequest } from "./hub/commit-on-hub.ts";
import { HubAccount } from "./hub/hub-account.ts";
import { findToken } from "./hub/token.ts";
import { publishRefused } from "./publish-refused.ts";

/** What a person chooses. */
export interface PublishChoices {
  /** Without a slash at the end. */
  hubUrl: string;
  /** User or organisation of the space. Default: the user of the token. */
  owner?: string;
  /** Open a pull request instead of changing the space. */
  pullRequest?: boolean;
  /** Create the space as private. */
  private?: boolean;
  /** Leave the certification out; the app's page says so. The check is never left out. */
  skipCertify?: boolean;
  message?: string;
}

interface PublishOptions extends PublishChoices {
  folder: string;
  /** Certifies the app of a folder, and writes the verdict. @throws WorkbenchError when it must not be published */
  certify: GateOptions["certify"];
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  onStage(line: string): void;
  /** Called with the report of an app that failed its check. */
  onReport(report: CheckReport): void;
  /** Asks a person once, before anything is changed. */
  confirm(question: string): Promise<boolean>;
}

interface Published {
  address: string;
  /** The newest commit of the space. */
  commit: string;
  /** False when the space had this commit already. */
  pushed: boolean;
  /** Address of the pull request that was opened. */
  pullRequest?: string | undefined;
}

/**
 * Publishes an app: checks and certifies it, creates its space unless it exists, commits the folder and pushes without
 * force. Returns null when the question is declined.
 * @throws WorkbenchError `app-invalid`, `check-failed`, `bad-request` from the check; `hub-token`, `hub-unreachable`,
 *   `publish-refused`; the signal's reason when aborted
 */
export async function publishApp(options: PublishOptions): Promise<Published | null> {
  const { folder, hubUrl, env, signal, onStage } = options;
  const { name, checked } = await requirePassedCheck(options);
  onStage("passed the check");
  const hub = new HubAccount(hubUrl, await findToken(env), signal);
  const { name: user, organisations } = await hub.user();
  onStage(`signed in as ${user}`);
  const owner = options.owner ?? user;
  if (owner !== user && !organisations.includes(owner) && !options.pullRequest) {
    const member = organisations.length === 0 ? "" : ` Organisations of ${user}: ${organisations.join(", ")}.`;
    throw publishRefused(`${user} cannot publish for ${owner}.${member} Or open a pull request with --pull-request.`);
  }

  const git = new Git({ folder, env, hubUrl, user, token: hub.token, signal });
  await git.requireVersion();
  const known = await isRepository(git, folder);
  const defaultAddress = `${hubUrl}/spaces/${owner}/${name}`;
  const address =
    known && options.owner === undefined ? await spaceAddress(git, defaultAddress, hubUrl) : defaultAddress;
  const id = address.slice(`${hubUrl}/spaces/`.length);
  const space = await hub.space(id);
  if (options.private && space?.private === false) {
    const next = "Make it private in its settings on the hub, or omit --private.";
    throw publishRefused(`${address} is public already. ${next}`);
  }
  if (options.pullRequest && space === null) {
    throw publishRefused(`${address} does not exist; a pull request needs a space. Omit --pull-request to create it.`);
  }
  const audience = (space?.private ?? options.private) ? "private" : "public";
  const what = options.pullRequest ? "Open a pull request for" : "Publish";
  if (!(await options.confirm(`${what} ${name} at ${address} (${audience})?`))) return null;

  await passGate({ ...options, app: name, requireUnchanged: () => requireUnchanged(folder, checked, signal) });
  const published = await withGeneratedFiles(folder, checked, signal);
  onStage(options.skipCertify ? "not certified, as the app's page says" : "certified");
  if (!known) await initRepository(git);
  if (space === null) {
    await hub.createSpace(id, options.private === true);
    onStage(`created ${address}`);
  }
  const remote = await remoteAt(git, hubUrl, address);
  const status = await fetchRemoteStatus(git, remote, address);
  const title = options.message ?? `Publish ${name}`;
  await requireUnchanged(folder, published, signal);
  await commitAll(git, status, new Set(published.keys()), { message: title, user });
  if (options.pullRequest)
    return { address, pushed: true, ...(await openPullRequest(git, hub, { space: id, status, title })) };
  if (!(await hasLargeFiles(git, status.kind === "empty" ? [] : [status.head]))) {
    return { address, ...(await push(git, remote, status)) };
  }
  const author = await authorOptions(git, user);
  return { address, ...(await commitOnHub(git, hub, { space: id, remote, status, title, author })) };
}

/** Checks the app; returns its name and the files that were checked. @throws WorkbenchError when it must not be published */
async function requirePassedCheck({
  folder,
  signal,
  onReport,
}: PublishOptions): Promise<{ name: string; checked: FileDigests }> {
  const files = await readApp(folder, signal);
  const checked = await digestFiles(folder, files, signal);
  const report = await checkFiles(folder, files);
  const secrets = report.results.some(({ id, findings }) => id === "PKG-011" && findings.length > 0);
  if (report.verdict === "conformant" && !secrets && report.app !== null) return { name: report.app, checked };
  onReport(report);
  if (report.verdict === "error")
    throw new WorkbenchError("check-failed", "The check itself broke; nothing was changed.");
  if (report.verdict === "conformant") {
    throw publishRefused("Not published: the app holds secrets. Fix PKG-011 above first.");
  }
  throw new WorkbenchError("app-invalid", "Not published: this is not yet a robot app. Fix what is marked ✗ above.");
}

/** The address of the folder's space, or the default address when it has none. */
async function spaceAddress(git: Git, defaultAddress: string, hubUrl: string): Promise<string> {
  const known = [...(await spaceRemotes(git, hubUrl)).keys()];
  if (known.length === 0 || known.includes(defaultAddress)) return defaultAddress;
  if (known.length === 1) return known[0] ?? defaultAddress;
  throw new WorkbenchError(
    "publish-refused",
    `The folder has several spaces as remotes: ${known.join(", ")}. Keep one.`,
  );
}
