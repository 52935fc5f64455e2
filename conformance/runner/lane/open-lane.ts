import { join } from "node:path";
import type { Host } from "../host.ts";
import { LaneProcess } from "./lane-process.ts";
import type { LaneSetup } from "./messages.ts";
import type { NamespaceOptions } from "./namespaces.ts";

/** Executes test runs one after the other, beside other lanes. */
export type TestRunLane = Pick<LaneProcess, "prepare" | "execute" | "othersEnd" | "close">;

/** A lane whose rig is being opened. */
export interface FirstLane {
  lane: TestRunLane;
  prepared: Promise<void>;
}

type LaneOptions = Omit<LaneSetup, "appFolder">;

/** The set-up of a lane, with folders of its own. */
export function laneSetup({ app, venv, folder, isolation }: LaneOptions, index: number): LaneSetup {
  const own = join(folder, `lane-${index}`);
  return { app, venv, folder: own, appFolder: join(own, "app"), isolation };
}

/** The namespaces that a lane is to have. */
export function namespacesOf({ isolation: { python, network, quota }, appFolder }: LaneSetup): NamespaceOptions {
  return { python, network, quota: quota ? appFolder : null };
}

/** Opens the first lane and its rig for an app that is still being installed. */
export function openFirstLane(options: LaneOptions, host: Host): FirstLane {
  const setup = laneSetup(options, 0);
  const lane = new LaneProcess(namespacesOf(setup), host);
  return { lane, prepared: lane.prepare(setup, "simulated") };
}
