import { JOINTS } from "../../../../robot/description/joints.ts";
import { BAUD_RATES } from "../../../../robot/servo/registers/control-table.ts";
import { SETTING_TITLES } from "../../../../robot/servo/registers/servo-settings.ts";
import { type DiscoveredServo, jointOfServo, modelName, type SettingDifference, settingDifferences } from "./scan.ts";

/** The result of a scan for programs: each servo with its joint and its problem, null where there is none. */
export function scanAsJson(found: readonly DiscoveredServo[]) {
  const servos = found.map((servo) => ({
    id: servo.id,
    joint: jointOfServo(servo.id)?.name ?? null,
    model: modelName(servo.model),
    firmware: servo.firmware,
    baud_rate: servo.baudRate,
    problem: problem(servo) ?? null,
  }));
  return { servos, missing: missingIn(found).map(({ id, name }) => ({ id, joint: name })) };
}

const missingIn = (found: readonly DiscoveredServo[]) =>
  JOINTS.filter(({ id }) => !found.some((servo) => servo.id === id));

/** The result of a scan as a table with a line for each servo, and whether the robot is complete and set up. */
export function describeScan(found: readonly DiscoveredServo[]): { text: string; complete: boolean } {
  const rows = found.map((servo) => ({ servo, problem: problem(servo) }));
  const missing = missingIn(found);
  const lines = tableLines([
    ["id", "joint", "model", "firmware", "bit/s", "settings"],
    ...rows.map(({ servo: { id, model, firmware, baudRate }, problem: says }) => [
      `${id}`,
      jointOfServo(id)?.name ?? "-",
      modelName(model),
      `${firmware}`,
      `${baudRate}`,
      says ?? "correct",
    ]),
  ]);
  if (found.length === 0)
    lines.splice(0, 1, "No servo answers. Check the power supply and the cable to the first servo.");
  else if (missing.length > 0) lines.push(`Missing: ${missing.map(({ id, name }) => `${name} (${id})`).join(", ")}`);
  return { text: lines.join("\n"), complete: missing.length === 0 && rows.every((row) => row.problem === undefined) };
}

/** Rows of cells as lines, with the cells of a column below each other. */
function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lineOf = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => lineOf(row).trimEnd());
}

/** What is wrong with a servo; undefined when nothing is. */
function problem({ id, model, settings }: DiscoveredServo): string | undefined {
  const joint = jointOfServo(id);
  if (joint === undefined) return "not set up: robot-daemon setup-servo JOINT";
  if (modelName(model) !== joint.model) return `wrong model, ${joint.name} needs ${joint.model}`;
  if (settings === undefined) return "answers pings only: check its cable and its power";
  const wrong = settingDifferences(settings, joint);
  return wrong.length === 0 ? undefined : wrong.map(describeDifference).join(", ");
}

/** For example `homing offset 0 instead of 1024`. */
export function describeDifference({ name, actual, expected }: SettingDifference): string {
  const format = (value: number) => (name === "baudRate" ? (BAUD_RATES[value] ?? value) : value);
  return `${SETTING_TITLES[name]} ${format(actual)} instead of ${format(expected)}`;
}
