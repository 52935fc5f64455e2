import { spawnSync } from "node:child_process";
import { figure, median, section } from "./figures.ts";

const ROUNDS = 9;
const ARGS = ["bin/robot-app-assistant.mjs", "check", "fixtures/apps/hello_robot"];

/** Measures the static check of an app, including the start of the process. */
export async function benchCheck() {
  section("Static check of hello_robot");
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const { status } = spawnSync(process.execPath, ARGS);
    times.push(performance.now() - began);
    if (status !== 0) throw new Error(`the check of ${ARGS[2]} exited with code ${status}`);
  }
  figure("from start to exit of the program", `${median(times).toFixed(0)} ms`, "<= 300 ms", median(times) <= 300);
}
