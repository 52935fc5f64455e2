import type { Clock } from "../../../../common/time/clock.ts";
import { WorkbenchError } from "../../../../robot/wire/errors.ts";
import { openLink } from "../link/open.ts";
import { describeDifference, describeScan, scanAsJson } from "./report.ts";
import { COMMON_BAUD_RATES, type OpenAt, scan } from "./scan.ts";
import { applySetup, parseJoint, planSetup } from "./setup-servo.ts";

/** What the commands for setting up servos need of the program around them. */
export interface SetupContext {
  /** Address of the link, as `openLink` takes it. */
  readonly link: string;
  readonly clock: Clock;
  readonly print: (text: string) => void;
  /** Writes to the standard error. */
  readonly report: (text: string) => void;
  /** Asks a person; null without a terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | null;
}

/**
 * `robot-daemon scan`: lists every servo on the bus; true when the robot is complete and set up.
 *
 * @param json whether the servos are printed as one JSON object
 * @throws WorkbenchError `robot-not-found` when the link cannot be opened, `usage` for an address that is none
 */
export async function runScan({ link, clock, print, report }: SetupContext, json = false): Promise<boolean> {
  (json ? report : print)(SCANNING);
  const found = await scan(opener(link), clock, baudRatesOf(link));
  const { text, complete } = describeScan(found);
  print(json ? JSON.stringify(scanAsJson(found)) : text);
  return complete;
}

/**
 * `robot-daemon setup-servo`: writes a joint's settings into a servo, after a person agreed. False when they did not.
 *
 * @param json whether the joint, the servo's previous id, the changes and the angle in radians are printed as one JSON object;
 *   what a person reads goes to the standard error then
 * @throws WorkbenchError `robot-not-found` when the link cannot be opened or the servo does not answer, `usage` for an
 *   invalid address, an unknown joint or several servos, `robot-not-ready` when the servo stops answering, `robot-fault`
 *   when it did not keep the settings
 */
export async function runSetup(
  { link, clock, print, report, confirm }: SetupContext,
  jointName: string,
  id: number | null,
  json = false,
): Promise<boolean> {
  const joint = parseJoint(jointName);
  const open = opener(link);
  const say = json ? report : print;
  say(SCANNING);
  const plan = planSetup(await scan(open, clock, baudRatesOf(link)), joint, id);
  const { servo, changes } = plan;
  const done = (angle: number | null): true => {
    if (json) print(JSON.stringify({ joint: joint.name, id: joint.id, previous_id: servo.id, changes, angle }));
    return true;
  };
  if (changes.length === 0) {
    say(`Servo ${servo.id} is set up for ${joint.name} already.`);
    return done(null);
  }
  const lines = changes.map((change) => `  ${describeDifference(change)}`);
  say([`Servo ${servo.id} (${joint.model}) becomes ${joint.name}:`, ...lines].join("\n"));
  if (confirm === null)
    throw new WorkbenchError(
      "usage",
      `${json ? "--json cannot ask" : "There is no terminal to ask on"}: agree with --yes.`,
    );
  if (!(await confirm(`Write this into servo ${servo.id}?`))) return false;
  const angle = await applySetup(open, clock, plan);
  const degrees = (angle * (180 / Math.PI)).toFixed(1);
  say(`Done. ${joint.name} stands at ${degrees} degrees; mount its horn so that this is true.`);
  return done(angle);
}

const SCANNING = "Scanning for servos; with all bit rates this takes some ten seconds.";

const opener =
  (link: string): OpenAt =>
  (baudRate) =>
    openLink(link, baudRate);
/** Only a serial port has bit rates. */
const baudRatesOf = (link: string): readonly number[] =>
  link.startsWith("serial") ? COMMON_BAUD_RATES : COMMON_BAUD_RATES.slice(0, 1);
