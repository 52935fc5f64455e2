import { beforeEach, describe, expect, test } from "vitest";
import { advanceUntilSettled, ManualClock } from "../../../../common/time/manual-clock.ts";
import { JOINTS } from "../../../../robot/description/joints.ts";
import { encodeStatus, StatusError } from "../../../../robot/servo/protocol/packet.ts";
import { REGISTERS } from "../../../../robot/servo/registers/control-table.ts";
import { type IdealRobot, SimulatedLink } from "../../control/testing/simulated-link.ts";
import { ServoBus } from "./servo-bus.ts";

const IDS = JOINTS.map(({ id }) => id);
const { torqueEnable, led, modelNumber, presentPosition } = REGISTERS;

let clock: ManualClock;
let link: SimulatedLink<IdealRobot>;
let bus: ServoBus;

beforeEach(async () => {
  clock = new ManualClock();
  link = SimulatedLink.withIdealJoints(clock);
  bus = new ServoBus(await link.open(), clock);
  await clock.advanceAsync(500);
  link.robot.advanceTo(0.5);
});

const settle = <T>(promise: Promise<T>): Promise<T> => advanceUntilSettled(clock, promise);

describe("one servo", () => {
  test("answers with model and firmware", async () => {
    expect(await settle(bus.ping(11))).toMatchObject({ model: 1200 });
  });

  test("keeps what is written", async () => {
    await settle(bus.write(11, led.address, [1]));
    expect([...(await settle(bus.read(11, led.address, 1)))]).toEqual([1]);
  });

  test("refuses with a reason", async () => {
    await expect(settle(bus.write(11, modelNumber.address, [1, 0]))).rejects.toMatchObject({
      code: "robot-fault",
      message: expect.stringMatching(/^Servo 11 \(stewart_1\) refused.*read-only.*error 7/),
    });
    expect(link.written).toBe(1);
  });

  test("gets the request again when its answer is lost or damaged", async () => {
    let packets = 0;
    link.fromServos = (bytes) => {
      packets++;
      return packets === 1 ? null : packets === 2 ? bytes.with(8, bytes[8]! ^ 1) : bytes;
    };
    expect(await settle(bus.ping(11))).toMatchObject({ model: 1200 });
    expect([link.written, bus.lostAnswers]).toEqual([3, 2]);
  });

  test("gets the request again when it reports a damaged request", async () => {
    let packets = 0;
    link.fromServos = (bytes) => (packets++ === 0 ? encodeStatus(11, StatusError.crc) : bytes);
    expect(await settle(bus.ping(11))).toMatchObject({ model: 1200 });
    expect(link.written).toBe(2);
  });

  test("that does not answer three requests is an error", async () => {
    await expect(settle(bus.ping(42))).rejects.toMatchObject({
      code: "robot-not-ready",
      message: expect.stringMatching(/Servo 42 does not answer on simulator \(3 attempts\)/),
    });
    expect(await settle(bus.ping(11))).toMatchObject({ model: 1200 });
  });

  test("does not answer over a closed link", async () => {
    const asked = bus.ping(11);
    link.unplug();
    await expect(settle(asked)).rejects.toMatchObject({ code: "robot-not-ready" });
    expect(bus.closed).toBe(true);
    await expect(settle(bus.ping(11))).rejects.toMatchObject({ code: "robot-not-ready" });
  });
});

describe("several servos", () => {
  test("are read and written with one packet", async () => {
    await settle(
      bus.syncWrite(
        led.address,
        1,
        IDS.map((id, index) => ({ id, data: [index % 2] })),
      ),
    );
    const answers = await settle(bus.syncRead(IDS, led.address, 1));
    expect(answers.map((answer) => answer?.params[0])).toEqual(IDS.map((_, index) => index % 2));
  });

  test("answers after a missing one are missing too, and the read still ends", async () => {
    link.robot.servos.servos[4]!.faultState.silent = true;
    const answers = await settle(bus.syncRead(IDS, presentPosition.address, 4));
    expect(answers.map((answer) => answer !== undefined)).toEqual(IDS.map((_, index) => index < 4));
  });

  test("exchanges that start together run one after another", async () => {
    const [first, second, third] = await settle(
      Promise.all([bus.ping(10), bus.syncRead(IDS, torqueEnable.address, 1), bus.ping(18)]),
    );
    expect([first.model, second.length, third.model]).toEqual([1240, 9, 1190]);
    expect([link.written, bus.lostAnswers]).toEqual([3, 0]);
  });

  test("a servo's alert bit is reported", async () => {
    const alerts: number[] = [];
    bus.onAlert = (id) => alerts.push(id);
    link.robot.servos.servos[2]!.faultState.extraHeat = 100;
    await clock.advanceAsync(3000);
    await settle(bus.syncRead(IDS, presentPosition.address, 4));
    link.robot.advanceTo(clock.now() / 1000);
    await settle(bus.syncRead(IDS, presentPosition.address, 4));
    expect(new Set(alerts)).toEqual(new Set([12]));
  });
});
