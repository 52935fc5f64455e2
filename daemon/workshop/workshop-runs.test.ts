import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Emitter } from "../../common/emitter.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { ManualClock } from "../../common/time/manual-clock.ts";
import type { AppInfo, AppStatus } from "../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { Slot } from "../apps/slot/slot.ts";
import type { Robot } from "../robot-client/robot.ts";
import { unknownState } from "../robot-client/unknown-state.ts";
import { isInstalledFromFolder, WorkshopRuns } from "./workshop-runs.ts";

const CHANGE = [{ name: "a.py", text: "new" }];
const signal = new AbortController().signal;

/** Runs with a slot and a robot that only take notes. */
function runsWith({ physical = false, isKept = false, installed = true, asleep = false } = {}) {
  const notes: string[] = [];
  const clock = new ManualClock();
  let status: AppStatus | null = null;
  const slot = {
    status: () => status,
    get busy() {
      return status !== null;
    },
    start: async (name: string, options: Parameters<Slot["start"]>[1] = {}) => {
      notes.push(`start ${name}${options.copy ? " from the copy" : ""}`);
      status = { info: { name }, state: "running", ...(options.copy && { trial: true }) } as AppStatus;
      return status;
    },
    changes: new Emitter<AppStatus>(),
    free: async () => {
      notes.push("stop");
      status = null;
    },
  };
  const robot = {
    state: { ...unknownState(0), awake: !asleep, motorMode: asleep ? ("disabled" as const) : ("enabled" as const) },
    goto: async () => {
      notes.push("goto");
      return "finished" as const;
    },
    wakeUp: async () => {
      notes.push("wake up");
      return "finished" as const;
    },
    simulation: physical ? undefined : ({} as Robot["simulation"]),
  };
  const runs = new WorkshopRuns({
    workshop: { app: "app", shadow: async () => ({ importFolder: "/s", mainFile: "/s/m", isKept }) },
    slot,
    robot,
    clock,
    isInstalled: async () => installed,
    install: async () => {
      notes.push("install");
      return { status: "failed", error: "no" } as never;
    },
  });
  return { runs, notes, slot, clock };
}

test("a physical robot runs kept code only, after a confirmation", async () => {
  const changed = runsWith({ physical: true });
  await expect(changed.runs.try(CHANGE, true, signal)).rejects.toMatchObject({ code: "confirmation-required" });
  const kept = runsWith({ physical: true, isKept: true });
  await expect(kept.runs.try([], false, signal)).rejects.toMatchObject({ code: "confirmation-required" });
  expect([...changed.notes, ...kept.notes]).toEqual([]);
  await kept.runs.try([], true, signal);
  expect(kept.notes).toEqual(["start app"]);
});

test("a keep on a physical robot starts nothing", async () => {
  const { runs, notes, slot } = runsWith({ physical: true });
  await slot.start("app");
  await runs.kept("t", CHANGE);
  expect(notes).toEqual(["start app"]);
});

test("a robot that sleeps wakes up before a try", async () => {
  const { runs, notes } = runsWith({ asleep: true });
  await runs.try(CHANGE, false, signal);
  expect(notes).toEqual(["wake up", "start app from the copy"]);
});

test("an app that cannot be installed is not started", async () => {
  const { runs, notes } = runsWith({ installed: false });
  await expect(runs.try(CHANGE, false, signal)).rejects.toMatchObject({ code: "install-failed" });
  expect(notes).toEqual(["install"]);
});

test("a keep of what runs as a try leaves it running; a keep of another text starts the app again", async () => {
  const { runs, notes } = runsWith();
  await runs.try(CHANGE, false, signal);
  await runs.kept("t1", CHANGE);
  expect(notes).toEqual(["start app from the copy"]);
  await runs.kept("t2", [{ name: "a.py", text: "newer" }]);
  expect(notes).toEqual(["start app from the copy", "start app"]);
});

test("a keep and an undo whose run cannot be started are done, and say why", async () => {
  const { runs, slot } = runsWith();
  await slot.start("app");
  slot.start = async () => {
    throw new WorkbenchError("start-cancelled", "a stop was requested");
  };
  const failed = { state: "failed", problem: { code: "start-cancelled", detail: "a stop was requested" } };
  expect(await runs.kept("t1", CHANGE)).toEqual(failed);
  expect(await runs.takeBack("t1", async () => {})).toEqual(failed);
});

test("taking tries back starts what ran before the first of them", async () => {
  const { runs, notes, slot } = runsWith();
  await slot.start("app");
  await runs.try(CHANGE, false, signal);
  await runs.try(CHANGE, false, signal);
  notes.length = 0;
  await runs.takeBack(null, async () => void notes.push("restore"));
  expect(notes).toEqual(["restore", "stop", "goto", "start app"]);
});

test("undoing an edit after another app was started leaves that one alone", async () => {
  const { runs, notes, slot } = runsWith();
  await runs.try(CHANGE, false, signal);
  await runs.kept("t1", CHANGE);
  await slot.start("other");
  notes.length = 0;
  await runs.takeBack("t1", async () => void notes.push("restore"));
  expect(notes).toEqual(["restore"]);
});

test("when the code cannot be restored, what runs goes on", async () => {
  const { runs, notes } = runsWith();
  await runs.try(CHANGE, false, signal);
  notes.length = 0;
  await expect(runs.takeBack("t", () => Promise.reject(new Error("changed")))).rejects.toThrow("changed");
  expect(notes).toEqual([]);
});

test("an app that imports for long has not run: the proof that it does not fail begins when it runs", async () => {
  const { runs, slot, clock } = runsWith();
  const importing = { state: "starting", error: null } as AppStatus;
  const failure = runs.awaitFailure(3000, signal);
  slot.changes.emit(importing);
  clock.advance(20_000);
  slot.changes.emit({ ...importing, state: "error", error: "ZeroDivisionError" });
  expect(await failure).toBe("ZeroDivisionError");

  const proof = runs.awaitFailure(3000, signal);
  slot.changes.emit({ ...importing, state: "running" });
  clock.advance(3000);
  expect(await proof).toBe(null);
});

const installed = (name: string, extra: object) => [{ info: { name, extra } as AppInfo }];

test("an app counts as installed from a folder when it is editable there, also by another path of it", async () => {
  const place = temporaryFolder("installed-");
  const [folder, link] = [join(place, "app"), join(place, "link")];
  await mkdir(folder);
  await symlink(folder, link);
  const is = (name: string, extra: object) => isInstalledFromFolder(folder, "my_app", installed(name, extra));
  expect(await is("my-app", { editable: true, folder })).toBe(true);
  expect(await is("my_app", { editable: true, folder: link })).toBe(true);
});

test("a copy of the app, one of another folder and another app do not count", async () => {
  const is = (name: string, extra: object) => isInstalledFromFolder("/app", "my_app", installed(name, extra));
  expect(await is("my_app", {})).toBe(false);
  expect(await is("my_app", { editable: true, folder: "/other" })).toBe(false);
  expect(await is("other", { editable: true, folder: "/app" })).toBe(false);
  expect(await isInstalledFromFolder("/app", "my_app", [])).toBe(false);
});
