import { touchAntenna } from "../../daemon/robot-client/touch-antenna.ts";
import { parseFault } from "../../sim/faults/parse-fault.ts";
import { APPS } from "./app-scripts.ts";
import type { System } from "./system.ts";

export const fault = (text: string) => ({
  what: `fault ${text}`,
  run: ({ world: { cable, clock }, observer }: System) => {
    cable.advance();
    cable.robot.addFault(parseFault(text));
    for (let ms = 0; ms < 5000; ms += 500) clock.after(ms, () => observer.disturbed());
  },
});

export const WIRE_FAULTS = [
  "drop:rate=0.05",
  "delay:rate=0.1,ms=30",
  "corrupt:rate=0.05",
  "garble:rate=0.2",
  "drop:rate=1",
];
export const SERVO_FAULTS = [
  "silent:servo=12",
  "latch:servo=13",
  "brownout:servo=all",
  "undervoltage:volts=3",
  "overload:servo=11",
];

export const touch = (antenna: "right" | "left") => ({
  what: `touch the ${antenna} antenna`,
  run: ({ world: { cable }, observer, daemon }: System) => {
    // Nobody leads the antenna back while no process holds the robot: the next one holds it where it is.
    if (daemon.robot?.state.phase === "running") observer.disturbed();
    else observer.movedByUser();
    if (daemon.robot !== null) void touchAntenna(cable, daemon.robot, antenna);
  },
});

export function killApp({ world: { machine } }: System): void {
  const app = machine.processes.find(({ name, group, pid }) => name in APPS && group === pid);
  app?.onSignal("SIGKILL");
}

export function killRobotProcess({ daemon, observer }: System): void {
  observer.disturbed();
  daemon.robotChild?.onSignal("SIGKILL");
}

/** The robot process is lost, and the app ends before there is another one. */
export const killBoth = (ms: number) => ({
  what: `kill the robot process, and the app ${ms} ms later`,
  run: (system: System) => {
    killRobotProcess(system);
    system.world.clock.after(ms, () => killApp(system));
  },
});

export const stopRobotProcess = (ms: number) => ({
  what: `stop the robot process for ${ms} ms`,
  run: ({ daemon, observer }: System) => {
    observer.disturbed();
    daemon.robotChild?.clock.stop(ms);
  },
});

export const unplug = (ms: number) => ({
  what: `unplug the robot for ${ms} ms`,
  run: ({ world: { cable, clock }, observer }: System) => {
    observer.disturbed();
    cable.unplug();
    clock.after(ms, () => cable.plugIn());
  },
});

export const jumpWallClock = (ms: number) => ({
  what: `the wall clock jumps by ${ms} ms`,
  run: ({ world: { clock } }: System) => {
    clock.wallClockOffset += ms;
  },
});

export const fillDisk = (ms: number) => ({
  what: `the disk is full for ${ms} ms`,
  run: ({ world: { disk, clock } }: System) => {
    disk.isFull = true;
    clock.after(ms, () => {
      disk.isFull = false;
    });
  },
});

/** Kills the daemon; another one is started some time later. */
export function killDaemon(system: System): void {
  if (system.daemon.clock.isDead) return;
  system.daemon.onSignal("SIGKILL");
  system.startDaemonLater(300 + 4000 * system.world.random());
}
