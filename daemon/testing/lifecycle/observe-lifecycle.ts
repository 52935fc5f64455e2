import type { AppHost } from "../../apps/app-host.ts";
import type { Robot } from "../../robot-client/robot.ts";
import { type LifecycleEvent, lifecycleEventOf } from "./lifecycle-events.ts";

/** Reports what happens to slot and robot of a daemon in this process from now on, in order, without requests. */
export function observeLifecycle(
  robot: Pick<Robot, "onEvent">,
  apps: Pick<AppHost, "events">,
  add: (event: LifecycleEvent) => void,
): void {
  const addIfAny = (event: LifecycleEvent | null): void => {
    if (event !== null) add(event);
  };
  robot.onEvent((event) => addIfAny(lifecycleEventOf("robot", event)));
  apps.events.on((event) => {
    if (event.kind === "slot") addIfAny(lifecycleEventOf("slot", event.status));
    if (event.kind === "process") addIfAny(lifecycleEventOf("process", event.event));
    if (event.kind === "notice") addIfAny(lifecycleEventOf("notice", event));
    if (event.kind === "startup-app") addIfAny(lifecycleEventOf("startup-app", { startup_app: event.name }));
  });
}
