import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { z } from "zod";
import { problemOf } from "../../robot/wire/errors.ts";
import { SceneObject } from "../../robot/wire/scene/hand-act.ts";
import { parseJson } from "../../robot/wire/validation/parse-json.ts";
import { parseOrThrow } from "../../robot/wire/validation/parse-or-throw.ts";
import { systemNeed } from "../apps/install/tools/system-needs.ts";
import { Antenna } from "../robot-client/touch-antenna.ts";
import { TestRobot, type TestRobotParts } from "./test-robot.ts";

const RecordedMotion = z.object({ label: z.string(), rows: z.array(z.array(z.number())) });

/** What a test asks for; carried out in this order. */
const Request = z.object({
  /** A new robot takes the place of this one, for the next test; nothing else is carried out. */
  restart: z.boolean().default(false),
  /** The app has opened the SDK socket, with these headers of HTTP. */
  connect: z.record(z.string(), z.string()).optional(),
  /** Messages of the app. */
  send: z.array(z.string()).default([]),
  /** What the app does with its audio socket, as `TestAudio.receive` takes it. */
  sendAudio: z.array(z.string()).default([]),
  /** What the app requests of the daemon's REST interface. */
  http: z.array(z.object({ id: z.int(), method: z.string(), path: z.string(), body: z.string() })).default([]),
  /** A sound for the microphone: 16-bit samples in base64. */
  hear: z.string().optional(),
  /** Antenna that is touched. */
  touch: Antenna.optional(),
  /** The name of an object that is removed. */
  removeObject: z.string().optional(),
  /** An object that is put beside the robot. */
  addObject: z.unknown().optional(),
  /** The path of a picture that the camera shows; null shows the scene. */
  see: z.string().nullable().optional(),
  /** A film of what the robot did so far. */
  film: z.object({ file: z.string(), start: z.number(), end: z.number() }).optional(),
  /** A page with a motion, or with two over each other. */
  page: z
    .object({
      file: z.string(),
      title: z.string(),
      lines: z.array(z.string()),
      motions: z.tuple([RecordedMotion], RecordedMotion),
      differing: z.array(z.string()),
    })
    .optional(),
  /** A fault that begins, as for `robot-sim --fault`; null ends all faults. */
  fault: z.string().nullable().optional(),
  /** The app has lost its connection. */
  disconnect: z.boolean().default(false),
  /** The app has ended. */
  end: z.boolean().default(false),
  /** The last lines of an app that has ended with an error. The report's `need` names what they show as missing on this machine. */
  output: z.array(z.string()).default([]),
  /** Seconds since the robot stood ready: advances to that time, or to the first message to the app before it. */
  advance: z.number().nonnegative(),
});

interface ServeParts {
  /** Makes the parts of a robot. */
  createParts(): Promise<TestRobotParts>;
  /** Requests, one JSON object per line. */
  input: Readable;
  /** Takes the report that answers each request, as a line of JSON. */
  print(text: string): void;
}

/** Serves robots in virtual time to tests, one after the other, until the input ends. @throws WorkbenchError `bad-request` */
export async function serveTestRobot({ input, print, createParts }: ServeParts): Promise<void> {
  let robot = await TestRobot.create(await createParts());
  const report = (error?: string, need?: string) =>
    print(`${JSON.stringify({ ...robot.takeReport(), error, need })}\n`);
  report();
  for await (const line of createInterface({ input })) {
    const request = parseOrThrow(Request, parseJson(line, "request"), "request");
    if (request.restart) {
      // The old robot needs no end: nothing advances its clock any more.
      robot = await TestRobot.create(await createParts());
      report();
      continue;
    }
    const error = await carryOut(robot, request);
    await robot.advanceTo(request.advance);
    report(error, request.output.map(systemNeed).findLast((need) => need !== null) ?? undefined);
  }
}

/** Returns why something cannot be done; undefined when everything was done. */
async function carryOut(robot: TestRobot, request: z.infer<typeof Request>): Promise<string | undefined> {
  const { connect, send, sendAudio, http, hear, touch, fault, disconnect, end } = request;
  const { removeObject, addObject, see, film, page } = request;
  const { simulation, film: recorded, writeMotionPage } = robot.parts;
  try {
    if (connect !== undefined) robot.connect(connect);
    for (const text of send) robot.receive(text);
    for (const message of sendAudio) robot.audio.receive(message);
    for (const { id, ...httpRequest } of http) await robot.request(id, httpRequest);
    if (removeObject !== undefined) await simulation.world.removeObject(removeObject);
    if (addObject !== undefined) await simulation.world.addObject(parseOrThrow(SceneObject, addObject, "object"));
    if (see !== undefined) await robot.camera.show(see);
    if (film !== undefined) await recorded.write(film);
    if (page !== undefined) {
      const { file, ...data } = page;
      await writeMotionPage(file, data);
    }
    if (hear !== undefined) robot.audio.hear(hear);
    if (touch !== undefined) await robot.touch(touch);
    if (fault !== undefined) robot.setFault(fault);
  } catch (error) {
    return problemOf(error).detail;
  } finally {
    if (disconnect) robot.disconnect();
    if (end) robot.endAppSession();
  }
  return undefined;
}
