import { takePort } from "../runner/ports.ts";
import type { ScenePlan } from "./scene-plan.ts";
import { CONNECT_LIMIT } from "./stops.ts";

/** Seconds without a daemon before it is there again, and seconds from then on that the app has to be back. */
const GONE_S = 5;
const BACK_S = 5;

/** The daemon goes while the app runs, and comes back. */
export const daemonGone: ScenePlan = {
  id: "daemon-gone",
  title: "The daemon drops away",
  async play(stage) {
    const run = await stage.start();
    if (!(await stage.reaches(run, "enteredAt", CONNECT_LIMIT))) return stage.stop(run);
    await stage.moment(0.3, 1.2);
    await stage.ask(run, "daemon-gone");
    const [before, since, connections] = [stage.notes.usage.cpu, stage.now(), run.connections];
    const silent = stage.random() < 0.5;
    if (silent) stage.tap.fallSilent();
    else stage.tap.vanish();
    await stage.leave(run, GONE_S);
    const cpu = (stage.notes.usage.cpu - before) / Math.max((run.endedAt ?? stage.now()) - since, 1);
    stage.tap.reappear();
    await stage
      .until(BACK_S, "the app is back", () => run.isOver || run.connections > connections)
      .catch(() => stage.options.host.signal.throwIfAborted());
    stage.facts.drop = { silent, cpu, reconnected: run.connections > connections, ended: run.isOver };
    await stage.stop(run, "daemon-gone");
  },
};

/** Everything takes its time: the simulated robot a third of its pace, every message a fifth of a second. */
export const slowAndLate: ScenePlan = {
  id: "slow-and-late",
  title: "A slow simulation and 200 ms of latency",
  setting: { robotSim: ["--speed", "0.35"] },
  async play(stage) {
    stage.tap.delay(200);
    const run = await stage.start();
    if (await stage.reaches(run, "enteredAt", CONNECT_LIMIT)) await stage.moment(1, 2);
    await stage.stop(run);
  },
};

const JOINTS = ["stewart_1", "stewart_3", "stewart_5", "body_yaw", "right_antenna"] as const;

/** A servo overloads while the app moves the robot. */
export const servoFault: ScenePlan = {
  id: "servo-fault",
  title: "A servo reports a fault",
  setting: { robotSim: [] },
  async play(stage) {
    const run = await stage.start();
    if (await stage.reaches(run, "enteredAt", CONNECT_LIMIT)) {
      await stage.moment(0.3, 1);
      const joint = JOINTS[Math.floor(stage.random() * JOINTS.length)] ?? JOINTS[0];
      const fault = `overload:servo=${joint},for=3`;
      stage.act(`fault ${fault}`);
      stage.notes.expectsFaults = true;
      await stage.robotSim?.beginFault(fault);
      await stage.leave(run, 4.5);
      stage.facts.fault = { fault, ended: run.isOver };
    }
    await stage.stop(run);
  },
};

/** Seconds until an app that cannot have its port must be gone. */
export const CONFLICT_LIMIT = 10;

/** Somebody else has the port of its page. */
export const portTaken: ScenePlan = {
  id: "port-taken",
  title: "The port of its page is taken",
  needsPage: true,
  async play(stage) {
    const server = await takePort(stage.options.app.page?.port ?? 0);
    stage.atEnd(() => server.close());
    stage.act("take the port of the page");
    const run = await stage.start();
    run.ending = "port-taken";
    await stage.leave(run, CONFLICT_LIMIT);
    await (run.isOver ? stage.over(run) : stage.stop(run, "port-taken"));
    server.close();
  },
};
