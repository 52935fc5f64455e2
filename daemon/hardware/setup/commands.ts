import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { Clock } from "../../clock.ts";
import { openLink } from "../link/open.ts";
import { describeDifference, describeScan } from "./report.ts";
import { type OpenAt, scan, USUAL_BAUD_RATES } from "./scan.ts";
import { applySetup, jointNamed, planSetup } from "./setup-servo.ts";

/** What the commands for assembling a robot need of the program around them. */
export interface Assembly {
  /** As `openLink` takes it. */
  readonly link: string;
  readonly clock: Clock;
  readonly say: (text: string) => void;
  /** Asks a person; null when there is nobody to ask. */
  readonly confirm: ((question: string) => Promise<boolean>) | null;
}

/** `robot-daemon scan`: lists every servo on the bus; true when the robot is complete and set up. Throws as `openLink`. */
export async function runScan({ link, clock, say }: Assembly): Promise<boolean> {
  say(LOOKING);
  const { text, complete } = describeScan(await scan(way(link), clock, rates(link)));
  say(text);
  return complete;
}

/**
 * `robot-daemon setup-servo`: writes a joint's settings into a servo, after a person agreed. False when they did not.
 * Throws as `planSetup` and `applySetup`.
 */
export async function runSetup(assembly: Assembly, jointName: string, id: number | null): Promise<boolean> {
  const { link, clock, say, confirm } = assembly;
  const joint = jointNamed(jointName);
  const open = way(link);
  say(LOOKING);
  const plan = planSetup(await scan(open, clock, rates(link)), joint, id);
  if (plan.changes.length === 0) {
    say(`Servo ${plan.servo.id} is set up for ${joint.name} already.`);
    return true;
  }
  const lines = plan.changes.map((change) => `  ${describeDifference(change)}`);
  say([`Servo ${plan.servo.id} (${joint.model}) becomes ${joint.name}:`, ...lines].join("\n"));
  if (confirm === null) throw new WorkbenchError("usage", "Nobody is here to ask: agree with --yes.");
  if (!(await confirm(`Write this into servo ${plan.servo.id}?`))) return false;
  const angle = (await applySetup(open, clock, plan)) * (180 / Math.PI);
  say(`Done. ${joint.name} stands at ${angle.toFixed(1)} degrees; mount its horn so that this is true.`);
  return true;
}

const LOOKING = "Looking for servos; with all their bit rates this takes some ten seconds.";

const way =
  (link: string): OpenAt =>
  (baudRate) =>
    openLink(link, baudRate);
/** Only a serial port has bit rates. */
const rates = (link: string): readonly number[] =>
  link.startsWith("serial") ? USUAL_BAUD_RATES : USUAL_BAUD_RATES.slice(0, 1);
