import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { inflateSync } from "node:zlib";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { ManualClock } from "../../common/time/manual-clock.ts";
import { unpack } from "../../common/unpack-data.ts";
import { createRenderer } from "../../sim/camera/renderer.ts";
import { Film, writeMotionPage } from "../../sim/film/film.ts";
import { createFilmRenderer } from "../../sim/film/renderer/index.ts";
import { createLocalLink } from "../../sim/link/local-link.ts";
import { PluggableLink } from "../../sim/link/pluggable-link.ts";
import { serveTestRobot } from "./serve-test-robot.ts";
import { type Report, TestRobot } from "./test-robot.ts";

async function parts() {
  const clock = new ManualClock();
  const local = await createLocalLink({ seed: 1, now: clock.now, speed: "on-demand" });
  const simulation = new PluggableLink(local, clock);
  const film = new Film(simulation, async () => createFilmRenderer);
  return { clock, simulation, film, writeMotionPage, createRenderer, version: "0" };
}

const start = async () => TestRobot.create(await parts());

/** Advances to a time; the reports until then. */
async function run(robot: TestRobot, time: number): Promise<Report> {
  const all: Report = { time: 0, messages: [], goals: [], audio: [], answers: [], played: [], events: [] };
  do {
    await robot.advanceTo(time);
    const { messages, goals, audio, answers, played, events } = robot.takeReport();
    all.goals.push(...goals);
    all.messages.push(...messages);
    all.audio.push(...audio);
    all.answers.push(...answers);
    all.played.push(...played);
    all.events.push(...events);
  } while (robot.time < time - 1e-6);
  return { ...all, time: robot.time };
}

const typesOf = ({ messages }: Report) => new Set(messages.map(([, text]) => JSON.parse(text).type));

const isPose = ([, text]: [number, string]) => JSON.parse(text).type === "head_pose";

test("stands still until its time is advanced, to the first message at most", async () => {
  const robot = await start();
  expect(robot.takeReport()).toEqual({
    time: 0,
    messages: [],
    goals: [],
    audio: [],
    answers: [],
    played: [],
    events: [],
  });
  robot.connect({ "user-agent": "robot-sdk/0" });
  expect(typesOf(robot.takeReport())).toEqual(new Set(["joint_positions", "head_pose", "daemon_status"]));
  await robot.advanceTo(5);
  expect(robot.time).toBeLessThan(0.05);
  const { messages, goals } = await run(robot, 1.04);
  expect(goals.map(([, angles]) => angles.length)).toEqual(messages.filter(isPose).map(() => 9));
  expect(goals.length).toBeGreaterThan(45);
});

test("carries out messages of the app, and says when a move has ended", async () => {
  const robot = await start();
  robot.connect({ "user-agent": "robot-sdk/0" });
  robot.receive(JSON.stringify({ type: "task", uuid: "u", req: { head: null, antennas: [0.5, 0.5], duration: 1 } }));
  const { messages, events } = await run(robot, 1.5);
  const [time, text] = messages.find(([, each]) => each.includes("task_progress")) ?? [];
  expect(time).toBeCloseTo(1, 1);
  expect(JSON.parse(text ?? "")).toMatchObject({ uuid: "u", finished: true, error: null });
  expect(events.map(([, { message }]) => message)).toContain("Move goto has arrived.");
  robot.receive("{}");
  const refused = robot.takeReport();
  expect(typesOf(refused)).toContain("error");
  expect(refused.events[0]?.[1].message).toMatch(/^The app sent a message that is refused: /);
});

test("an antenna feels a touch, and the end of the app returns the robot", async () => {
  const robot = await start();
  robot.connect({ "user-agent": "robot-sdk/0" });
  await run(robot, 1.5);
  await robot.touch("left");
  expect(typesOf(await run(robot, 2))).toContain("antenna_touched");
  robot.endAppSession();
  const { events } = await run(robot, 4);
  expect(events.map(([, { message }]) => message)).toContain("Move return_to_default has arrived.");
});

const messagesOf = ({ events }: Report) => events.map(([, { message }]) => message);

test("a cable is unplugged for some seconds, and the robot is where it was", async () => {
  const robot = await start();
  robot.connect({ "user-agent": "robot-sdk/0" });
  robot.receive(JSON.stringify({ type: "set_full_target", antennas: [0.5, -0.5] }));
  await run(robot, 1);
  robot.setFault("unplug:at=0.5,for=2");
  expect(messagesOf(await run(robot, 1.4))).toEqual([]);
  expect(messagesOf(await run(robot, 3.4))[0]).toMatch(
    /The link to the robot, simulator, is gone.*Plug the robot in again/,
  );
  expect(robot.robot.state.phase).toBe("error");
  await run(robot, 6);
  expect(robot.robot.state.phase).toBe("running");
  expect(robot.robot.state.antennas[0]).toBeCloseTo(0.5, 1);
});

test("faults of servos begin and end", async () => {
  const robot = await start();
  robot.setFault("overheat:servo=stewart_3");
  expect(messagesOf(await run(robot, 3)).join()).toMatch(/Servo 13 \(stewart_3\) reports overheated/);
  robot.setFault("unplug");
  robot.setFault("unplug:for=1");
  await run(robot, 6);
  expect(robot.robot.state.error).toMatch(/plugged in/);
  robot.setFault(null);
  await run(robot, 8);
  expect(robot.robot.state.error ?? "").not.toMatch(/plugged in/);
});

test("a session that has lost its connection gets no answers", async () => {
  const robot = await start();
  robot.connect({ "user-agent": "robot-sdk/0" });
  robot.receive(JSON.stringify({ type: "task", uuid: "u", req: { head: null, antennas: [0.5, 0.5], duration: 1 } }));
  robot.disconnect();
  robot.connect({ "user-agent": "robot-sdk/0" });
  expect(typesOf(await run(robot, 2))).not.toContain("task_progress");
  expect(robot.robot.state.antennas[0]).toBeCloseTo(0.5, 1);
});

const samplesOf = (base64: string) => [...new Int16Array(new Uint8Array(Buffer.from(base64, "base64")).buffer)];
const base64Of = (samples: number[]) => Buffer.from(Int16Array.from(samples).buffer).toString("base64");
const recordedOf = ({ audio }: Report) =>
  audio.filter(([, message]) => !message.startsWith("{")).flatMap(([, message]) => samplesOf(message).slice(1));

test("the microphone hears a sound once, mixed with others, from the moment on at which it begins", async () => {
  const robot = await start();
  robot.audio.receive("#connect");
  expect(robot.takeReport().audio).toHaveLength(1);
  robot.audio.receive('{"type":"listen","track":"microphone","on":true}');
  await run(robot, 0.5);
  robot.audio.hear(base64Of([1, 2, 3]));
  robot.audio.hear(base64Of([10]));
  const recorded = recordedOf(await run(robot, 1));
  expect(recorded.length / 16_000).toBeCloseTo(0.5, 1);
  expect(recorded.filter((sample) => sample !== 0)).toEqual([11, 2, 3]);
  expect(recorded.indexOf(11)).toBeLessThan(320);
});

test("the speaker plays what the app sends, until the app has ended", async () => {
  const robot = await start();
  robot.audio.receive(base64Of([0, 5]));
  robot.audio.receive("#connect");
  robot.audio.receive(base64Of([0, 7, 8]));
  const { played, audio } = await run(robot, 0.1);
  expect(played.flatMap(([, samples]) => samplesOf(samples))).toEqual([7, 8]);
  expect(audio.map(([, message]) => JSON.parse(message).type)).toEqual(["status", "played"]);
  robot.audio.receive('{"type":"play","sound":"happy"}');
  expect((await run(robot, 0.2)).played.length).toBeGreaterThan(3);
  robot.audio.receive("#close");
  expect((await run(robot, 0.5)).played).toEqual([]);
});

const FRAME = "/api/camera/frame?format=npy&width=320";
const bytesOf = (body: string) => inflateSync(Buffer.from(body, "base64"));

/** Where a 320 pixels wide picture is of a saturated red: the mean column, and how many pixels. */
function redOf(npy: Buffer) {
  const pixels = npy.subarray(npy.length - 3 * 320 * 180);
  let [count, sum] = [0, 0];
  for (let at = 0; at < pixels.length; at += 3) {
    const [blue = 0, green = 0, red = 0] = pixels.subarray(at, at + 3);
    if (red < 100 || blue > 10 || green > 10) continue;
    count += 1;
    sum += (at / 3) % 320;
  }
  return { count, column: sum / count };
}

test("the camera shows objects at the time at which the app asks, at most 30 pictures a second", async () => {
  const see = async () => {
    const robot = await start();
    const ball = { name: "ball", shape: { kind: "ball", radius: 0.03 }, mass: 0.1, color: "#ff0000" } as const;
    await robot.parts.simulation.world.addObject({ ...ball, position: [0.5, 0.15, 0.2], fixed: true });
    await run(robot, 1);
    for (const id of [1, 2]) await robot.request(id, { method: "GET", path: FRAME, body: "" });
    const [first, second] = (await run(robot, 1.2)).answers;
    expect([first?.[0], second?.[0]]).toEqual([1, expect.closeTo(1 + 1 / 30, 2)]);
    expect(first?.[1]).toMatchObject({ id: 1, status: 200, type: "application/x-npy" });
    return first?.[1].body ?? "";
  };
  const [body, again] = [await see(), await see()];
  expect(again).toBe(body);
  const { count, column } = redOf(bytesOf(body));
  expect(count).toBeGreaterThan(50);
  expect(column).toBeLessThan(110); // to the left
});

test("the camera shows a picture until it shows the scene again, also as JPEG, and says its matrix", async () => {
  const robot = await start();
  const ask = async (path: string) => {
    await robot.request(7, { method: "GET", path, body: "" });
    const { status, body } = (await run(robot, robot.time + 0.1)).answers[0]?.[1] ?? { status: 0, body: "" };
    return { status, body: bytesOf(body) };
  };
  await robot.camera.show("fixtures/camera/room.jpg");
  const room = (await ask(FRAME)).body;
  expect((await ask(FRAME)).body.equals(room)).toBe(true);
  expect((await ask("/api/camera/frame")).body.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  await robot.camera.show(null);
  expect((await ask(FRAME)).body.equals(room)).toBe(false);
  expect(JSON.parse((await ask("/api/camera/specs")).body.toString()).K[0][0]).toBeGreaterThan(500);
  expect(await ask("/api/camera/frame?width=7")).toMatchObject({ status: 422 });
  expect(await ask("/api/camera/stream")).toMatchObject({ status: 404 });
  await expect(robot.camera.show("package.json")).rejects.toThrow(/package.json is not a JPEG or PNG file/);
});

/** The sizes of the frames of an animated PNG, and for how many milliseconds they are shown. */
function framesOf(png: Buffer) {
  const frames: { width: number; height: number; ms: number }[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString("latin1", at + 4, at + 8) === "fcTL")
      frames.push({
        width: png.readUInt32BE(at + 12),
        height: png.readUInt32BE(at + 16),
        ms: png.readUInt16BE(at + 28),
      });
  return frames;
}

test("a film shows what the robot did, as pictures in rows and as an animation of what changes", async () => {
  const folder = temporaryFolder("film-");
  const robot = await start();
  robot.connect({ "user-agent": "robot-sdk/0" });
  robot.receive(JSON.stringify({ type: "set_full_target", antennas: [1, -1] }));
  await run(robot, 0.4);
  await robot.parts.film.write({ file: join(folder, "wave.png"), start: 0, end: 0.4 });
  const { width, height, data } = PNG.sync.read(await readFile(join(folder, "wave.png")));
  expect([width, height]).toEqual([4 * 320, 2 * 240]);
  const rowOf = (v: number) => data.subarray(4 * v * width, 4 * (v * width + 320));
  // The antennas are in the upper part of the pictures, the foot in the lower one.
  expect(rowOf(40).equals(rowOf(240 + 40))).toBe(false);
  expect(rowOf(200).equals(rowOf(240 + 200))).toBe(true);
  await robot.parts.film.write({ file: join(folder, "wave.apng"), start: 0, end: 0.24 });
  const [first, ...others] = framesOf(await readFile(join(folder, "wave.apng")));
  expect(first).toEqual({ width: 480, height: 360, ms: 80 });
  expect(others).toHaveLength(3);
  expect(Math.max(...others.map((each) => each.height))).toBeLessThan(300);
  const missing = robot.parts.film.write({ file: join(folder, "none/wave.png"), start: 0, end: 1 });
  await expect(missing).rejects.toThrow(/none.wave.png cannot be written: ENOENT/);
  const later = robot.parts.film.write({ file: join(folder, "later.png"), start: 2, end: 3 });
  await expect(later).rejects.toThrow("There is no motion from 2 to 3 s: advance the time first.");
});

test("a page shows two motions over each other", async () => {
  const file = join(temporaryFolder("page-"), "nod.html");
  const rows = [[0, ...Array<number>(9).fill(0)]];
  const data = { title: "</script>", lines: [], motions: [{ label: "measured", rows }], differing: [] } as const;
  const request = { advance: 0, page: { file, ...data } };
  const printed: Report[] = [];
  const input = Readable.from([`${JSON.stringify(request)}\n`]);
  await serveTestRobot({ createParts: parts, input, print: (text) => printed.push(JSON.parse(text)) });
  expect(printed.at(-1)?.error).toBeUndefined();
  const [, embedded = ""] = /id="motion">([^<]+)</.exec(await readFile(file, "utf8")) ?? [];
  expect(await unpack(embedded)).toEqual(data);
});

test("a fault that does not exist is reported, and the robot goes on", async () => {
  const printed: Report[] = [];
  const lines = ['{"advance":0,"fault":"melt"}', '{"advance":0.1}'];
  const print = (text: string) => printed.push(JSON.parse(text));
  await serveTestRobot({ createParts: parts, input: Readable.from(lines.map((line) => `${line}\n`)), print });
  expect(printed.map(({ error }) => error)).toEqual([
    undefined,
    expect.stringContaining('There is no fault "melt"'),
    undefined,
  ]);
});

test.each(['{"advance":0,"touch":"middle"}', '{"advance":-1}', "{"])("a request is refused: %s", async (line) => {
  const served = serveTestRobot({ createParts: parts, input: Readable.from([line]), print: () => undefined });
  await expect(served).rejects.toMatchObject({ code: "bad-request" });
});

test("the same calls give the same messages", async () => {
  const reports = await Promise.all(
    [1, 2].map(async () => {
      const robot = await start();
      robot.connect({ "user-agent": "robot-sdk/0" });
      robot.receive(JSON.stringify({ type: "set_full_target", antennas: [0.5, -0.5] }));
      const report = await run(robot, 1);
      expect(robot.robot.state.antennas[0]).toBeCloseTo(0.5, 1);
      return report;
    }),
  );
  expect(reports[0]).toEqual(reports[1]);
});

test("a restarted robot does bit for bit what the first one did", async () => {
  const printed: string[] = [];
  const move = { type: "set_full_target", antennas: [0.5, -0.5] };
  const requests = [
    { advance: 0, connect: { "user-agent": "robot-sdk/0" }, send: [JSON.stringify(move)] },
    ...Array.from({ length: 60 }, () => ({ advance: 1 })),
    { advance: 1, touch: "left" },
    { advance: 1.2, fault: "unplug" },
  ];
  const lines = [...requests, { restart: true, advance: 0 }, ...requests].map((each) => `${JSON.stringify(each)}\n`);
  const print = (text: string) => printed.push(text);
  await serveTestRobot({ createParts: parts, input: Readable.from(lines), print });
  expect(printed).toHaveLength(2 * requests.length + 2);
  expect(printed.slice(requests.length + 1)).toEqual(printed.slice(0, requests.length + 1));
});
