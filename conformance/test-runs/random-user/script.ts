import { z } from "zod";
import { JOINT_NAMES } from "../../../robot/description/joints.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { parseJson } from "../../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../../robot/wire/validation/parse-or-throw.ts";

/** Milliseconds of an outage that the SDK bridges, with a margin. */
export const LONGEST_OUTAGE_MS = 2500;
/** Milliseconds by which messages are late at most. */
export const LONGEST_LATENCY_MS = 200;
export const LONGEST_WAIT_MS = 1500;
export const LONGEST_OVERHEATING_MS = 1200;

const milliseconds = (longest: number) => z.int().min(0).max(longest);

/** What happens while the app runs. */
const Step = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("wait"), ms: milliseconds(LONGEST_WAIT_MS) }),
  /** The daemon is unreachable. */
  z.strictObject({ do: z.literal("outage"), ms: milliseconds(LONGEST_OUTAGE_MS) }),
  /** Every message is late, until the next step of this kind. */
  z.strictObject({ do: z.literal("latency"), ms: milliseconds(LONGEST_LATENCY_MS) }),
  /** A servo overheats; then the user turns the motors on again. */
  z.strictObject({ do: z.literal("overheat"), servo: z.enum(JOINT_NAMES), ms: milliseconds(LONGEST_OVERHEATING_MS) }),
]);
export type Step = z.infer<typeof Step>;

/** A start of the app, what happens while it runs, and how the user ends it. */
const Round = z.strictObject({ steps: z.array(Step).max(20), end: z.enum(["stop", "kill"]) });
export type Round = z.infer<typeof Round>;

/** What a random user does with an app, as `replay.json` holds it. */
const ReplayScript = z.strictObject({
  format: z.literal("robot-app-replay"),
  formatVersion: z.literal(1),
  /** Of the certification that found it; 32 bits. */
  seed: z.int().min(0),
  rounds: z.array(Round).min(1).max(20),
});
export type ReplayScript = z.infer<typeof ReplayScript>;

/**
 * Reads a script from its JSON.
 * @param name of the file, for messages
 * @throws WorkbenchError `bad-request` when it is none
 */
export function readReplayScript(text: string, name: string): ReplayScript {
  const next = `${name} is no script; name the replay.json that certify wrote.`;
  try {
    return parseOrThrow(ReplayScript, parseJson(text, name), name, { next });
  } catch (error) {
    throw error instanceof WorkbenchError ? error : new WorkbenchError("bad-request", `${name} is not JSON. ${next}`);
  }
}

/** A script in words, for a message: `start, wait 300 ms, stop; start, kill`. */
export const describeRounds = (rounds: readonly Round[]): string =>
  rounds.map(({ steps, end }) => ["start", ...steps.map(describeStep), end].join(", ")).join("; ");

export function describeStep(step: Step): string {
  switch (step.do) {
    case "wait":
      return `wait ${step.ms} ms`;
    case "outage":
      return `outage of ${step.ms} ms`;
    case "latency":
      return `latency of ${step.ms} ms`;
    case "overheat":
      return `overheating of ${step.servo} for ${step.ms} ms`;
  }
}
