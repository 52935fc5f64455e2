import { type LifecycleLogCheck, LifecycleModel } from "../../../daemon/testing/lifecycle/check-log.ts";
import type { LifecycleEvent } from "../../../daemon/testing/lifecycle/lifecycle-events.ts";
import type { DaemonHandle } from "../../runner/daemon/daemon-handle.ts";

interface Log {
  events: LifecycleEvent[];
  check: LifecycleLogCheck;
}

/** Made before a daemon runs in this process, which it would delay. */
const model = new LifecycleModel();
/** The logs of the daemons in this process. */
const logs = new WeakMap<DaemonHandle, Log>();

/** Requests that stop the app. An answer to the second comes before the app is stopped. */
const STOP = "/api/apps/stop-current-app";
const SLEEP = "/api/move/play/goto_sleep";

/** Compares the log of a daemon, which sleeps at its start, with the model of the lifecycle from now on. */
export function startLifecycleCheck(daemon: DaemonHandle, events: LifecycleEvent[], startupApp: string | null): void {
  logs.set(daemon, { events, check: model.begin({ startupApp, seesRequests: true, isAwake: false }) });
}

/** Adds a request to the log. @returns to be called with the status of the answer */
export function logRequest(daemon: DaemonHandle, method: string, path: string): (status: number) => void {
  const log = logs.get(daemon);
  if (log === undefined || method !== "POST" || ![STOP, SLEEP].includes(path)) return () => {};
  log.events.push({ kind: "stop-requested" });
  return (status) => log.events.push({ kind: path === STOP && status === 200 ? "stop-answered" : "stop-refused" });
}

/** @throws Error when the model does not allow what the daemon has done since the last call */
export function compareLogWithModel(daemon: DaemonHandle): void {
  const log = logs.get(daemon);
  const contradiction = log?.check.accept(log.events.splice(0)) ?? null;
  if (contradiction !== null) throw new Error(contradiction);
}
