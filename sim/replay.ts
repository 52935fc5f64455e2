import { createHash } from "node:crypto";
import { JOINTS } from "../robot/description/joints.ts";
import { syncRead, syncWrite } from "../robot/servo/protocol/instructions.ts";
import { encodeValue, PRESENT_STATE, REGISTERS } from "../robot/servo/registers/control-table.ts";
import { radiansToTicks } from "../robot/servo/registers/units.ts";
import { SimulatedRobot } from "./robot.ts";
import { BOOT_TIME } from "./servos/servo.ts";

interface ReplayOptions {
  readonly seed: number;
  /** Simulated seconds. */
  readonly seconds: number;
  /** In the middle of the run, takes a snapshot, runs another second and restores: the digest must not change. */
  readonly restores?: boolean;
}

const IDS = JOINTS.map(({ id }) => id);
const TICK = 0.01;
const TORQUE_ON = syncWrite(
  REGISTERS.torqueEnable.address,
  REGISTERS.torqueEnable.size,
  IDS.map((id) => ({ id, data: Uint8Array.of(1) })),
);
/** Ticks of `warmUp`; more ticks do not make the first replies faster. */
const WARM_UP_TICKS = 10;

/**
 * Runs a robot whose antennas and body are driven at 100 Hz. Returns the SHA-256 digest of all bytes that its servos send
 * and of every joint angle, unrounded; equal digests mean identical runs.
 */
export async function replayDigest({ seed, seconds, restores = false }: ReplayOptions): Promise<string> {
  const hash = createHash("sha256");
  let isRecorded = true;
  const robot = await SimulatedRobot.create({ seed }, (bytes) => {
    if (isRecorded) hash.update(bytes);
  });
  robot.advanceTo(2 * BOOT_TIME);
  robot.receive(TORQUE_ON);
  const ticks = Math.round(seconds / TICK);
  for (let tick = 0; tick < ticks; tick += 1) {
    runTick(robot, tick);
    hash.update(Float64Array.from(robot.physics.posture().joints));
    if (!restores || tick !== Math.floor(ticks / 2)) continue;
    const saved = structuredClone(robot.snapshot());
    isRecorded = false;
    for (let detour = 0; detour < 1 / TICK; detour += 1) runTick(robot, 3 * detour);
    robot.restore(saved);
    isRecorded = true;
  }
  robot.free();
  return hash.digest("hex");
}

/**
 * Runs a temporary robot, so that engine and firmware are compiled before the first request: otherwise the first replies
 * would come after a driver's deadline.
 */
export async function warmUp(): Promise<void> {
  const robot = await SimulatedRobot.create({ seed: 1 }, () => undefined);
  robot.receive(TORQUE_ON);
  for (let tick = 0; tick < WARM_UP_TICKS; tick += 1) runTick(robot, tick);
  robot.free();
}

/** One control tick of a driver: sets goals, reads the state, advances by 10 ms. */
function runTick(robot: SimulatedRobot, tick: number): void {
  const swing = Math.sin(2 * tick * TICK);
  const targets = JOINTS.map(({ name }) =>
    name === "body_yaw" ? 0.6 * swing : name.endsWith("antenna") ? swing : undefined,
  );
  const goals = IDS.flatMap((id, index) => {
    const target = targets[index];
    return target === undefined ? [] : [{ id, data: encodeValue(REGISTERS.goalPosition, radiansToTicks(target)) }];
  });
  robot.receive(syncWrite(REGISTERS.goalPosition.address, REGISTERS.goalPosition.size, goals));
  robot.receive(syncRead(PRESENT_STATE.address, PRESENT_STATE.length, IDS));
  robot.advanceTo(robot.time + TICK);
}
