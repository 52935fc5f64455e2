import { expect, test } from "vitest";
import { JOINTS } from "../../robot/description/joints.ts";
import * as make from "../../robot/servo/instructions.ts";
import { Faults } from "../faults/faults.ts";
import { parseFault } from "../faults/parse.ts";
import { seededRandom } from "../physics/random.ts";
import { TestBench } from "../servos/test-bench.ts";
import { Wire } from "./wire.ts";

const IDS = JOINTS.map((joint) => joint.id);

function wired(isTimed: boolean, ...faults: string[]) {
  const bench = new TestBench();
  const arrived: number[] = [];
  const chances = new Faults(faults.map(parseFault), seededRandom(1));
  const wire = new Wire(bench.bus, chances, isTimed, (bytes) => arrived.push(bytes.length));
  return { bench, wire, arrived };
}

test("without wire delay the replies of a sync read are there at once, in one piece", () => {
  const { wire, arrived } = wired(false);
  wire.receive(make.syncRead(126, 10, IDS), 0);
  expect(arrived).toEqual([9 * 21]);
});

test("at 1 Mbaud nine servos' ten bytes and a sync write take 2.71 ms", () => {
  const { wire, arrived } = wired(true);
  wire.receive(make.syncRead(126, 10, IDS), 0);
  wire.receive(
    make.syncWrite(
      116,
      4,
      IDS.map((id) => ({ id, data: [0, 8, 0, 0] })),
    ),
    0,
  );
  wire.receive(make.ping(10), 0);
  const pingTakes = (10 + 14) * 10e-6;
  wire.deliver(0.00271 + pingTakes - 1e-5);
  expect(arrived).toEqual([9 * 21]);
  wire.deliver(0.00271 + pingTakes);
  expect(arrived).toEqual([9 * 21, 14]);
});

test("the return delay time passes before each reply, wire delay or not", () => {
  const { bench, wire, arrived } = wired(false);
  bench.write(11, "returnDelayTime", 250);
  wire.receive(make.ping(11), 1);
  expect(arrived).toEqual([]);
  wire.deliver(1.0005);
  expect(arrived).toEqual([14]);
});

test("a late reply keeps those behind it waiting", () => {
  const { wire, arrived } = wired(false, "delay:rate=1,ms=30");
  wire.receive(make.ping(11), 0);
  wire.receive(make.ping(12), 0);
  wire.deliver(0.03);
  expect(arrived).toEqual([14]);
  wire.deliver(0.06);
  expect(arrived).toEqual([14, 14]);
});

test("while the cable is pulled nothing passes", () => {
  const { bench, wire, arrived } = wired(false, "unplug:at=1,for=2");
  wire.receive(make.ping(11), 0.5);
  wire.receive(make.write(11, 65, [1]), 1.5);
  wire.receive(make.ping(11), 2.9);
  expect([arrived.length, bench.read(11, "led")]).toEqual([1, 0]);
  wire.receive(make.ping(11), 3);
  expect(arrived).toHaveLength(2);
});

test("what was on its way is forgotten when the wire is cleared", () => {
  const { wire, arrived } = wired(true);
  wire.receive(make.ping(11), 0);
  wire.clear();
  wire.deliver(1);
  expect(arrived).toEqual([]);
});
