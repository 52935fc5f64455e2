import { randomUUID } from "node:crypto";
import path from "node:path";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Clock } from "../clock.ts";
import type { LogLine } from "./app-events.ts";
import type { AppEnd, Launch } from "./slot/app-process.ts";
import { type Command, commandOf } from "./start/command.ts";
import { type Leader, spawnLeader } from "./start/spawn-leader.ts";
import type { Kin } from "./stop/members.ts";
import { forgetRunning, noteRunning } from "./stop/running-note.ts";
import { Stopper } from "./stop/stopper.ts";
import { sweep } from "./stop/sweep.ts";
import { type Output, watchOutput } from "./watch/output.ts";

export interface SuperviseParts {
  venv: string;
  workDir: string;
  /** Where the running app is written down. */
  noteFile: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Milliseconds between SIGINT and SIGTERM. */
  graceMs: number;
  onLine(line: LogLine): void;
}

/** Starts an app, watches it and sees to it that nothing of it is left: the whole life of a process. */
export function supervisor(parts: SuperviseParts): Launch {
  return async (app) => {
    const { name } = app.info;
    const mark = randomUUID();
    const noting = async (group: number | null): Promise<unknown> =>
      noteRunning(parts.noteFile, name, group, mark).catch((error) => error);
    // A daemon that is killed in between would otherwise leave an app behind that nobody knows of.
    await noting(null);
    const leader = await startLeader(commandOf(app, mark, parts)).catch(async (error) => {
      await forgetRunning(parts.noteFile);
      throw error;
    });
    const output = watchOutput(name, leader, parts.onLine, parts.clock);
    const kin = { group: leader.pid, mark };
    const stopper = new Stopper(leader.pid, kin, parts.clock, parts.graceMs);
    const say = (text: string) => parts.onLine({ time: parts.clock.unixTime(), app: name, from: "daemon", text });
    say(`started ${path.basename(parts.venv)}/bin/python -u -m ${app.module}, process ${leader.pid}`);
    const noted = noting(leader.pid).then((error) => {
      if (error !== undefined) say(`cannot note the process: ${error}`);
    });
    const gone = seeOut({ leader, output, kin, stopper, say }, parts.clock).finally(async () => {
      await noted;
      await forgetRunning(parts.noteFile);
    });
    return { pid: leader.pid, gone, stop: () => stopper.stop() };
  };
}

async function startLeader(command: Command): Promise<Leader> {
  try {
    return await spawnLeader(command);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const next = "Remove the folder of the apps' environment to have it made anew.";
    throw new WorkbenchError("app-start-failed", `${command.file} does not start: ${why}. ${next}`, { cause: error });
  }
}

interface Watched {
  leader: Leader;
  output: Output;
  kin: Kin;
  stopper: Stopper;
  say(text: string): void;
}

async function seeOut({ leader, output, kin, stopper, say }: Watched, clock: Clock): Promise<AppEnd> {
  const { code, signal } = await Promise.race([leader.exited, stopper.gaveUp]);
  stopper.leaderGone();
  say(signal === null ? `exited with code ${code}` : `ended by ${signal}`);
  const { told, survivors } = await sweep(kin, clock);
  if (told > 0) say(`left ${told} processes behind; they were ended`);
  if (survivors.length > 0) say(`processes ${survivors.join(", ")} do not even end on SIGKILL`);
  await output.finish();
  return { code, signal, forced: stopper.forced, lastErrors: output.lastErrors() };
}
