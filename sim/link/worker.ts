import { parentPort, workerData } from "node:worker_threads";
import { SimulatedRobot } from "../robot.ts";
import { RobotHost } from "./host.ts";
import type { FromRobot, ToRobot } from "./messages.ts";
import type { WorkerData } from "./worker-link.ts";

/* Entry of the thread that a simulated robot lives in: the composition root of its side, with the real clock. */

const { speed, ...options } = workerData as WorkerData;
const send = (message: FromRobot) => parentPort?.postMessage(message);
const robot = await SimulatedRobot.create(options, (bytes) => send({ kind: "bytes", bytes }));
const host = new RobotHost(robot, send, () => performance.now(), speed);
parentPort?.on("message", (message: ToRobot) => host.handle(message));
send({ kind: "ready" });
