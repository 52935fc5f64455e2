import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { z } from "zod";
import { parseJson } from "../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import { Antenna } from "../robot-client/touch-antenna.ts";
import { TestRobot, type TestRobotParts } from "./test-robot.ts";

/** What a test asks for; carried out in this order. */
const Request = z.object({
  /** The app has opened the SDK socket; its user agent. */
  connect: z.string().optional(),
  /** Messages of the app. */
  send: z.array(z.string()).default([]),
  /** Antenna that is touched. */
  touch: Antenna.optional(),
  /** The app has ended. */
  end: z.boolean().default(false),
  /** Seconds since the robot stood ready: advances to that time, or to the first message to the app before it. */
  advance: z.number().nonnegative(),
});

interface ServeParts extends TestRobotParts {
  /** Requests, one JSON object per line. */
  input: Readable;
  /** Takes the report that answers each request, as a line of JSON. */
  print(text: string): void;
}

/** Serves a robot in virtual time to a test, until the input ends. @throws WorkbenchError `bad-request` */
export async function serveTestRobot({ input, print, ...parts }: ServeParts): Promise<void> {
  const robot = await TestRobot.create(parts);
  const report = () => print(`${JSON.stringify(robot.takeReport())}\n`);
  report();
  for await (const line of createInterface({ input })) {
    const { connect, send, touch, end, advance } = parseOrThrow(Request, parseJson(line, "request"), "request");
    if (connect !== undefined) robot.connect(connect);
    for (const text of send) robot.receive(text);
    if (touch !== undefined) await robot.touch(touch);
    if (end) robot.endAppSession();
    await robot.advanceTo(advance);
    report();
  }
}
