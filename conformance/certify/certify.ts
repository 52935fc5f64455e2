import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkApp, type Status } from "../../assistant/check/check-app.ts";
import { digestOf } from "../../daemon/apps/install/digest.ts";
import { DYNAMIC } from "../requirements/registry.ts";
import { cleanEnvironment } from "../runner/environment.ts";
import type { Host } from "../runner/host.ts";
import type { Judgement, Verdict, Waiver } from "../verdict/verdict.ts";
import { heldAgainstControl } from "./control.ts";
import { markScenes } from "./findings.ts";
import { type GatherOptions, gather, type Progress } from "./gather.ts";
import type { Judged } from "./judge.ts";
import { waived } from "./waivers.ts";

export interface CertifyOptions {
  /** The app's folder. */
  folder: string;
  /** Of the workbench. */
  version: string;
  seed: number;
  thorough: boolean;
  jobs: number;
  /** How often a MUST that failed is tried again; a pass of these counts as a warning. */
  retries: number;
  /** Ids of the requirements to judge; null for all. */
  only: readonly string[] | null;
  waivers: readonly Waiver[];
  /** Where the clean Python environment is kept between certifications. */
  cache: string;
  host: Host;
  progress: Progress;
}

/**
 * Reads an app, installs it in a clean environment, runs it in simulated robots and judges it.
 * @throws WorkbenchError `bad-request` when there is no such folder, `python-missing` and the like when there is no
 *   environment to run it in; HarnessError; the host's signal's reason
 */
export async function certify(options: CertifyOptions): Promise<Verdict> {
  const { folder, only, host, progress } = options;
  const began = host.now();
  const wanted = ({ id }: { id: string }) => only === null || only.includes(id);
  const report = await checkApp(folder, host.signal);
  const read: Judgement[] = report.results
    .filter(wanted)
    .map((result) => ({ ...result, scenes: [], measured: [], waiver: null }));

  const scratch = await mkdtemp(join(tmpdir(), "robot-certify-"));
  try {
    const { judged, scenes } = await runAndJudge(DYNAMIC.filter(wanted), scratch, options);
    const results = [...read, ...judged.map(({ judgement }) => judgement)].sort((one, other) =>
      one.id.localeCompare(other.id),
    );
    const today = new Date(host.now()).toISOString().slice(0, 10);
    const after = waived(results, options.waivers, today, only);
    const counts = countsOf(after.results);
    const lost = counts.fail > 0 || after.stale.length > 0;
    return {
      format: "robot-app-verdict",
      version: options.version,
      digest: await digestOf(folder),
      only,
      seed: options.seed,
      startedAt: new Date(began).toISOString(),
      duration: (host.now() - began) / 1000,
      verdict: lost ? "not-conformant" : counts.error > 0 ? "error" : "conformant",
      app: report.app,
      folder,
      counts,
      results: after.results,
      scenes,
      staleWaivers: after.stale,
    };
  } finally {
    progress.end("all");
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function runAndJudge(requirements: typeof DYNAMIC, scratch: string, options: CertifyOptions) {
  if (requirements.length === 0) return { judged: [], scenes: [] };
  const { host, progress } = options;
  progress.begin("Python environment");
  const clean = await cleanEnvironment(options.cache, host, (_name, work) => work());
  progress.end("Python environment");
  const how: GatherOptions = { ...options, clean, into: join(scratch, "app") };
  const { evidence, judged } = await gather(requirements, how);
  let final = judged;
  for (let retry = 1; retry <= options.retries && failures(final).length > 0; retry += 1) {
    final = merged(final, await triedAgain(failures(final), { ...how, into: join(scratch, `retry-${retry}`) }));
  }
  if (failures(final).length > 0) {
    const against = await heldAgainstControl(failures(final), { ...how, into: join(scratch, "control") });
    final = merged(final, against);
  }
  return { judged: final, scenes: markScenes(evidence?.scenes ?? [], final) };
}

const failures = (judged: readonly Judged[]): Judged[] => judged.filter(({ judgement }) => judgement.status === "fail");

/** Runs what failed once more. A pass is told as what it is: not a pass. */
async function triedAgain(failed: readonly Judged[], options: GatherOptions): Promise<Judged[]> {
  const again = await gather(
    failed.map(({ requirement }) => requirement),
    options,
  );
  return failed.map((each, index) => {
    if (again.judged[index]?.judgement.status !== "pass") return each;
    const reason = "It failed, and passed when it was tried again: not to be relied on.";
    return { ...each, judgement: { ...each.judgement, status: "warn", reason } };
  });
}

function merged(all: readonly Judged[], some: readonly Judged[]): Judged[] {
  return all.map((each) => some.find(({ requirement }) => requirement === each.requirement) ?? each);
}

function countsOf(results: readonly Judgement[]): Verdict["counts"] {
  const count = (status: Status) => results.filter((each) => each.status === status).length;
  return { pass: count("pass"), fail: count("fail"), warn: count("warn"), skip: count("skip"), error: count("error") };
}
