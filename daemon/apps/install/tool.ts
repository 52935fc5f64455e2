import path from "node:path";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Clock } from "../../clock.ts";
import { type Command, RUN_MARK } from "../start/command.ts";
import { type Leader, spawnLeader } from "../start/spawn-leader.ts";
import { Stopper } from "../stop/stopper.ts";
import { sweep } from "../stop/sweep.ts";
import { pumpLines } from "../watch/output.ts";
import { toolFailure } from "./failure.ts";

/** Longer than any download that is still worth waiting for. */
const DEADLINE_MS = 30 * 60_000;
/** pip and uv clean up on SIGINT. */
const GRACE_MS = 2000;

export interface ToolRun {
  clock: Clock;
  signal?: AbortSignal | undefined;
  onLine(line: string): void;
}

/**
 * Runs a tool to its end; nothing that it started is left, also when it is called off.
 * @param mark tells its processes apart from all others; see `venvMark`
 * @throws WorkbenchError as `toolFailure` with what the tool gave as the reason, `deadline-passed`; the signal's reason
 */
export async function runTool(command: Command, mark: string, { clock, signal, onLine }: ToolRun): Promise<void> {
  signal?.throwIfAborted();
  const leader = await start({ ...command, env: { ...command.env, [RUN_MARK]: mark } });
  const kin = { group: leader.pid, mark };
  const lines: string[] = [];
  const keep = (line: string) => {
    lines.push(line);
    onLine(line);
  };
  const read = Promise.all([pumpLines(leader.stdout, keep), pumpLines(leader.stderr, keep)]);
  const stopper = new Stopper(leader.pid, kin, clock, GRACE_MS);
  const stop = () => stopper.stop();
  signal?.addEventListener("abort", stop, { once: true });
  let late = false;
  const callOff = clock.after(DEADLINE_MS, () => {
    late = true;
    stop();
  });

  const end = await Promise.race([leader.exited, stopper.gaveUp]);
  stopper.leaderGone();
  callOff();
  signal?.removeEventListener("abort", stop);
  await sweep(kin, clock);
  await read;

  signal?.throwIfAborted();
  if (late) throw new WorkbenchError("deadline-passed", `${command.file} was ended after 30 minutes.`);
  if (end.code !== 0) {
    const how = `${path.basename(command.file)} ${command.args.slice(0, 2).join(" ")} ended with ${end.signal ?? end.code}`;
    throw toolFailure(lines, how);
  }
}

async function start(command: Command): Promise<Leader> {
  try {
    return await spawnLeader(command);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new WorkbenchError("install-failed", `${command.file} does not start: ${why}`, { cause: error });
  }
}
