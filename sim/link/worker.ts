import { parentPort, workerData } from "node:worker_threads";
import { SimulatedRobot } from "../robot.ts";
import type { MessageFromRobot, MessageToRobot } from "./messages.ts";
import { RobotHost } from "./robot-host.ts";
import type { WorkerData } from "./worker-link.ts";

/* Entry of the worker thread of a simulated robot, with the real clock. */

const { speed, ...options } = workerData as WorkerData;
const send = (message: MessageFromRobot) => parentPort?.postMessage(message);
const robot = await SimulatedRobot.create(options, (bytes) => send({ kind: "bytes", bytes }));
const host = new RobotHost(robot, send, () => performance.now(), speed);
parentPort?.on("message", (message: MessageToRobot) => host.handle(message));
send({ kind: "ready" });
