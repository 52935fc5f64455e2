import { MessageChannel, type MessagePort } from "node:worker_threads";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import { answerCall, isCallMessage } from "../../robot-process/serve-robot.ts";
import { AnswerMessage, type CallMessage } from "../messages.ts";
import { deriveMethods, withDerivedMethods } from "./method-proxy.ts";
import { type CallTable, RpcClient } from "./rpc-client.ts";

/** All that a new method needs: a line here, a line in `LampImplementation`, and one in the table for other options. */
interface Lamp {
  readonly colour: string;
  /** Resolves with the brightness before. */
  dim(percent: number): Promise<number>;
  fade(percent: number, seconds: number): Promise<void>;
  /** Without a colour, the last one stays. */
  follow(percent: number, colour?: string): Promise<string>;
  setColour(colour: string): Promise<void>;
}

const LAMP_CALLS: CallTable<Lamp> = {
  fade: { deadlineMs: (_, seconds) => 1000 * seconds + 500 },
  follow: { merging: { merge: ([, colour], [percent, newer]) => [percent, newer ?? colour] } },
  setColour: { repeatForNewProcess: true },
};

/** The lamp in the other process. Calls wait while it is `stopped`. */
class LampImplementation implements Lamp {
  colour = "white";
  brightness = 100;
  readonly calls: string[] = [];
  #resume = () => {};
  #stopped: Promise<void> = Promise.resolve();

  stop(): void {
    this.#stopped = new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  resume(): void {
    this.#resume();
  }

  async dim(percent: number): Promise<number> {
    this.calls.push(`dim ${percent}`);
    await this.#stopped;
    if (percent < 0) throw new WorkbenchError("bad-request", `${percent} % is too dark.`);
    const before = this.brightness;
    this.brightness = percent;
    return before;
  }

  async fade(): Promise<void> {
    await new Promise(() => undefined);
  }

  async follow(percent: number, colour?: string): Promise<string> {
    this.calls.push(`follow ${percent}`);
    await this.#stopped;
    this.colour = colour ?? this.colour;
    return `at ${percent}`;
  }

  async setColour(colour: string): Promise<void> {
    if (colour === "dark") throw new WorkbenchError("bad-request", "There is no dark light.");
    this.colour = colour;
  }
}

let clock: ManualClock;
let rpc: RpcClient;
let lamp: Lamp;

beforeEach(() => {
  clock = new ManualClock();
  rpc = new RpcClient(clock);
  lamp = withDerivedMethods<Lamp>({ colour: "?" }, deriveMethods(rpc.methodsOf<Lamp>("lamp", LAMP_CALLS)));
});

/** Connects the client to a lamp behind a message channel, as if in another process. */
function start(implementation = new LampImplementation()): { implementation: LampImplementation; lose(): void } {
  const { port1: near, port2: far } = new MessageChannel();
  onTestFinished(() => near.close());
  serve(far, implementation);
  near.on("message", (message) => rpc.receive(AnswerMessage.parse(message)));
  rpc.connect((message: CallMessage) => near.postMessage(message));
  const lose = () => {
    near.close();
    rpc.disconnect("The lamp has ended (SIGKILL).");
  };
  return { implementation, lose };
}

function serve(port: MessagePort, implementation: LampImplementation): void {
  port.on("message", async (message) => {
    if (isCallMessage(message)) port.postMessage(await answerCall({ lamp: implementation }, message));
  });
}

describe("a call", () => {
  test("reaches the implementation by its name, and resolves or rejects as that does", async () => {
    start();
    expect(lamp.colour).toBe("?");
    expect(await lamp.dim(30)).toBe(100);
    expect(await lamp.dim(60)).toBe(30);
    await expect(lamp.dim(-1)).rejects.toMatchObject({ code: "bad-request", message: "-1 % is too dark." });
  });

  test("of an object or a method that does not exist is refused", async () => {
    start();
    const call = rpc.methodsOf<Lamp & { explode(): Promise<void> }>("lamp", {});
    await expect(call("explode", [])).rejects.toMatchObject({ code: "bad-request" });
    await expect(rpc.methodsOf<Lamp>("radio", {})("dim", [1])).rejects.toThrow(/this robot has no radio/);
  });

  test("fails after its deadline, which may depend on its arguments; a late answer is ignored", async () => {
    const { implementation } = start();
    implementation.stop();
    const dimmed = expect(lamp.dim(10)).rejects.toMatchObject({
      code: "deadline-passed",
      message: "The robot did not answer dim within 5 s.",
    });
    const faded = expect(lamp.fade(10, 60)).rejects.toThrow("fade within 60.5 s");
    clock.advance(5000);
    await dimmed;
    implementation.resume();
    expect(await lamp.dim(20)).toBe(10);
    clock.advance(55_500);
    await faded;
  });

  test("does not fail while deadlines are held, for example for a paused robot", async () => {
    start();
    const faded = expect(lamp.fade(10, 60)).rejects.toThrow("fade within 60.5 s");
    rpc.holdDeadlines(true);
    clock.advance(600_000);
    rpc.holdDeadlines(false);
    let hasFailed = false;
    void faded.then(() => {
      hasFailed = true;
    });
    await clock.advanceAsync(0);
    expect(hasFailed).toBe(false);
    clock.advance(60_500);
    await faded;
  });

  test("while there is no process is refused with the reason", async () => {
    await expect(lamp.dim(1)).rejects.toMatchObject({ code: "robot-not-ready" });
    start().lose();
    await expect(lamp.dim(1)).rejects.toThrow("The lamp has ended (SIGKILL).");
  });
});

describe("a process that is lost", () => {
  test("rejects the calls that wait, and the client goes on with the next one", async () => {
    const { implementation, lose } = start();
    implementation.stop();
    const calls = [lamp.dim(1), lamp.dim(2), lamp.follow(3), lamp.follow(4)];
    const lost = calls.map((call) => expect(call).rejects.toMatchObject({ code: "robot-not-ready" }));
    lose();
    await Promise.all(lost);
    start();
    expect(await lamp.dim(50)).toBe(100);
    expect(await lamp.follow(5)).toBe("at 5");
  });

  test("is replaced by one that is given the kept calls, also those made while there was none", async () => {
    const first = start();
    await lamp.setColour("red");
    first.lose();
    const second = start();
    await lamp.dim(1);
    expect(second.implementation.colour).toBe("red");
    second.lose();
    await lamp.setColour("blue");
    const third = start();
    await lamp.dim(1);
    expect(third.implementation.colour).toBe("blue");
  });

  test("does not give the next one a call that was refused", async () => {
    const first = start();
    await lamp.setColour("red");
    await expect(lamp.setColour("dark")).rejects.toMatchObject({ code: "bad-request" });
    first.lose();
    const second = start();
    await lamp.dim(1);
    expect(second.implementation.colour).toBe("red");
  });
});

describe("calls that are merged", () => {
  test("one is on its way and one waits; the others are merged into that one and answered like it", async () => {
    const { implementation } = start();
    const answers = Array.from({ length: 1000 }, (_, percent) =>
      lamp.follow(percent, percent === 500 ? "green" : undefined),
    );
    const values = await Promise.all(answers);
    expect(implementation.calls).toEqual(["follow 0", "follow 999"]);
    expect(new Set(values)).toEqual(new Set(["at 0", "at 999"]));
    expect(implementation.colour).toBe("green");
  });

  test("another call does not wait for their answers, and is sent after the one that waits", async () => {
    const { implementation } = start();
    implementation.stop();
    const answers = [1, 2, 3].map((percent) => lamp.follow(percent));
    const dimmed = lamp.dim(7);
    await lamp.setColour("green");
    expect(implementation.calls).toEqual(["follow 1", "follow 3", "dim 7"]);
    implementation.resume();
    expect(await Promise.all(answers)).toEqual(["at 1", "at 3", "at 3"]);
    expect(await dimmed).toBe(100);
  });

  test("another call waits neither for a flood of them nor for their interval", async () => {
    const table: CallTable<Lamp> = { follow: { merging: { merge: (_, newer) => newer, intervalMs: 60_000 } } };
    const flooded = deriveMethods(rpc.methodsOf<Lamp>("lamp", table));
    const { implementation } = start();
    for (let percent = 0; percent < 1000; percent += 1) void flooded.follow(percent);
    expect(await lamp.dim(7)).toBe(100);
    expect(implementation.calls).toEqual(["follow 0", "follow 999", "dim 7"]);
  });
});

test("an awaited proxy is no promise", async () => {
  start();
  expect(await lamp).toBe(lamp);
});
