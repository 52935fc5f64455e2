import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { SerialPort } from "serialport";
import { afterEach, beforeAll, expect, test } from "vitest";
import { DEADLINE_MS } from "../common/testing/deadline.ts";
import { temporaryFolder } from "../common/testing/temporary-folder.ts";
import { waitFor } from "../common/time/wait-for.ts";
import { ping } from "../robot/servo/protocol/instructions.ts";
import { BROADCAST_ID } from "../robot/servo/protocol/packet.ts";
import { StreamParser } from "../robot/servo/protocol/stream-parser.ts";

/** Tests of the built program with real drivers. */
const PROGRAM = join(import.meta.dirname, "../bin/robot-sim.mjs");
const BUILT = join(import.meta.dirname, "../dist/programs/robot-sim/main.js");
const PYTHON = join(import.meta.dirname, "../.venv/bin/python");
const MANUFACTURER_CLIENT = join(import.meta.dirname, "../fixtures/drivers/maker_client.py");

beforeAll(() => {
  if (!existsSync(BUILT)) throw new Error(`${BUILT} is missing: run npm run build first`);
});

const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) await end(child);
});

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    await exit;
  }
  return child.exitCode;
}

function launch(...args: string[]): { child: ChildProcess; stdout: Readable; stderr: Readable } {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  return { child, stdout: child.stdout as Readable, stderr: child.stderr as Readable };
}

/** Resolves when the stream's text matches. */
async function waitForText(stream: Readable, pattern: RegExp): Promise<void> {
  let text = "";
  for await (const chunk of stream) {
    text += chunk;
    if (pattern.test(text)) return;
  }
  throw new Error(`the program ended without ${pattern}: ${text}`);
}

async function replyToPing(address: string, id: number): Promise<unknown> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const parser = new StreamParser();
  socket.write(ping(id));
  for await (const chunk of socket) {
    const [packet] = parser.push(chunk);
    if (packet !== undefined) return packet;
  }
  return undefined;
}

test("the manufacturer's client pings nine servos, moves one, reads its position, and reconnects", async () => {
  const { child, stdout, stderr } = launch();
  stderr.resume();
  const path = (await text(stdout)).trimEnd();
  for (let visit = 0; visit < 2; visit++) {
    const { stdout: answer } = await promisify(execFile)(PYTHON, [MANUFACTURER_CLIENT, path]);
    const { models, target, position } = JSON.parse(answer);
    expect(Object.keys(models).map(Number)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18]);
    expect(Object.values(models)).toEqual([1240, 1200, 1200, 1200, 1200, 1200, 1200, 1190, 1190]);
    expect(Math.abs(position - target)).toBeLessThanOrEqual(20);
  }
  expect(await end(child)).toBe(0);
  expect(existsSync(path)).toBe(false);
});

/** The ids that answer to everybody's ping at a bit rate; asks until there are as many as wanted. */
async function idsAt(path: string, baudRate: number, wanted: number): Promise<number[]> {
  const port = new SerialPort({ path, baudRate, autoOpen: false });
  await promisify(port.open.bind(port))();
  const parser = new StreamParser();
  // A machine that is busy answers a ping when the next one was sent already.
  const ids = new Set<number>();
  port.on("data", (chunk) => {
    for (const { id } of parser.push(chunk)) ids.add(id);
  });
  await waitFor(DEADLINE_MS, `${wanted} servos at ${baudRate} bit/s`, async () => {
    port.write(ping(BROADCAST_ID));
    await new Promise((done) => setTimeout(done, 200));
    return ids.size >= wanted;
  });
  await promisify(port.close.bind(port))();
  return [...ids].sort((one, other) => one - other);
}

test("a new servo answers at its maker's bit rate only, the others at the robot's", async () => {
  const { child, stdout, stderr } = launch("--fresh-servo", "stewart_3", "--headless");
  stderr.resume();
  const path = (await text(stdout)).trimEnd();
  expect(await idsAt(path, 57_600, 1)).toEqual([1]);
  expect(await idsAt(path, 1_000_000, 8)).toEqual([10, 11, 12, 14, 15, 16, 17, 18]);
  expect(await end(child)).toBe(0);
});

test("over TCP, with the timing of the bus, recorded", async () => {
  const folder = temporaryFolder("robot-sim-test-");
  const file = join(folder, "run.jsonl");
  const { child, stdout, stderr } = launch("--tcp", "0", "--wire-delay", "--record", file);
  stderr.resume();
  const address = (await text(stdout)).trimEnd();
  expect(await replyToPing(address, 12)).toMatchObject({ kind: "status", id: 12, error: 0 });
  expect(await end(child)).toBe(0);
  const [head, ...entries] = (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(head.joints).toContain("stewart_6");
  expect(entries.find((entry) => entry.to)?.to).toBe(Buffer.from(ping(12)).toString("hex"));
  expect(entries.find((entry) => entry.from)?.from).toMatch(/^fffffd000c07005500b004/);
  const moments = entries.filter((entry) => entry.head);
  expect(moments.length).toBeGreaterThan(0);
  for (const { joints, head: pose } of moments) expect([joints.length, pose.length]).toEqual([9, 16]);
});

test("a cable that is plugged in again has the same address", async () => {
  const { stdout, stderr } = launch("--tcp", "0", "--fault", "unplug:at=0.5,for=0.5");
  const address = (await text(stdout)).trimEnd();
  await waitForText(stderr, /is unplugged[\s\S]*is plugged in again/);
  expect(await replyToPing(address, 10)).toMatchObject({ kind: "status", id: 10 });
});

test("invalid options print the reason and exit with code 2", async () => {
  const { child, stdout, stderr } = launch("--fault", "silent");
  expect(await Promise.all([text(stdout), text(stderr), once(child, "exit")])).toEqual([
    "",
    expect.stringMatching(/name the servo with servo=NAME/),
    [2, null],
  ]);
});

test("a recording file that cannot be written is refused before anything runs", async () => {
  const { child, stdout, stderr } = launch("--headless", "--record", "/nowhere/run.jsonl");
  const texts = await Promise.all([stdout, stderr].map(async (stream) => (await stream.toArray()).join("")));
  expect([await end(child), texts[0]]).toEqual([2, ""]);
  expect(texts[1]).toMatch(/--record \/nowhere\/run\.jsonl: .*ENOENT.* Use a file in a writable folder/);
});
