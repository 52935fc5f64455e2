import { createHash } from "node:crypto";
import { JOINTS } from "../robot/description/joints.ts";
import { encodeValue, PRESENT_STATE, REGISTERS } from "../robot/servo/control-table.ts";
import { syncRead, syncWrite } from "../robot/servo/instructions.ts";
import { radiansToTicks } from "../robot/servo/units.ts";
import { SimulatedRobot } from "./robot.ts";
import { BOOT_TIME } from "./servos/servo.ts";

export interface ReplayOptions {
  readonly seed: number;
  /** Simulated seconds. */
  readonly seconds: number;
  /** Half way, saves the robot, lets it live on for a second, and puts it back: nobody shall see that in the digest. */
  readonly restores?: boolean;
}

const IDS = JOINTS.map(({ id }) => id);
const TICK = 0.01;
const TORQUE_ON = syncWrite(
  REGISTERS.torqueEnable.address,
  REGISTERS.torqueEnable.size,
  IDS.map((id) => ({ id, data: Uint8Array.of(1) })),
);
/** Ticks of `warmUp`; more of them make the first answers no faster. */
const WARM_UP_TICKS = 10;

/**
 * One run of a robot whose antennas and body are driven at 100 Hz, as a SHA-256 digest of all that its servos send and
 * of every joint angle to the last bit. Equal digests are equal runs.
 */
export async function replayDigest({ seed, seconds, restores = false }: ReplayOptions): Promise<string> {
  const hash = createHash("sha256");
  let counts = true;
  const robot = await SimulatedRobot.create({ seed }, (bytes) => {
    if (counts) hash.update(bytes);
  });
  robot.advanceTo(2 * BOOT_TIME);
  robot.receive(TORQUE_ON);
  const ticks = Math.round(seconds / TICK);
  for (let tick = 0; tick < ticks; tick += 1) {
    drive(robot, tick);
    hash.update(Float64Array.from(robot.physics.posture().joints));
    if (!restores || tick !== Math.floor(ticks / 2)) continue;
    const saved = structuredClone(robot.snapshot());
    counts = false;
    for (let detour = 0; detour < 1 / TICK; detour += 1) drive(robot, 3 * detour);
    robot.restore(saved);
    counts = true;
  }
  robot.free();
  return hash.digest("hex");
}

/**
 * Drives a robot that nobody sees for a moment, so that engine and firmware are compiled before somebody waits for an
 * answer: the first ones would come after a driver's deadline.
 */
export async function warmUp(): Promise<void> {
  const robot = await SimulatedRobot.create({ seed: 1 }, () => undefined);
  robot.receive(TORQUE_ON);
  for (let tick = 0; tick < WARM_UP_TICKS; tick += 1) drive(robot, tick);
  robot.free();
}

/** A hundredth of a second in the life of a driver. */
function drive(robot: SimulatedRobot, tick: number): void {
  const swing = Math.sin(2 * tick * TICK);
  const aims = JOINTS.map(({ name }) =>
    name === "body_yaw" ? 0.6 * swing : name.endsWith("antenna") ? swing : undefined,
  );
  const moved = IDS.flatMap((id, index) => {
    const aim = aims[index];
    return aim === undefined ? [] : [{ id, data: encodeValue(REGISTERS.goalPosition, radiansToTicks(aim)) }];
  });
  robot.receive(syncWrite(REGISTERS.goalPosition.address, REGISTERS.goalPosition.size, moved));
  robot.receive(syncRead(PRESENT_STATE.address, PRESENT_STATE.length, IDS));
  robot.advanceTo(robot.time + TICK);
}
