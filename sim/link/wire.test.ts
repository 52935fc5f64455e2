import { expect, test } from "vitest";
import { seededRandom } from "../../common/seeded-random.ts";
import { JOINTS } from "../../robot/description/joints.ts";
import * as make from "../../robot/servo/protocol/instructions.ts";
import { FaultInjector } from "../faults/fault-injector.ts";
import { parseFault } from "../faults/parse-fault.ts";
import { TestBench } from "../servos/testing/test-bench.ts";
import { Wire } from "./wire.ts";

const IDS = JOINTS.map((joint) => joint.id);

function wired(isTimed: boolean, ...faults: string[]) {
  const bench = new TestBench();
  const arrived: number[] = [];
  const chances = new FaultInjector(faults.map(parseFault), seededRandom(1));
  const wire = new Wire(bench.bus, chances, isTimed, (bytes) => arrived.push(bytes.length));
  return { bench, wire, arrived };
}

test("without wire delay the replies of a sync read arrive immediately, in one piece", () => {
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

test("each reply has the return delay time, with and without wire delay", () => {
  const { bench, wire, arrived } = wired(false);
  bench.write(11, "returnDelayTime", 250);
  wire.receive(make.ping(11), 1);
  expect(arrived).toEqual([]);
  wire.deliver(1.0005);
  expect(arrived).toEqual([14]);
});

test("a delayed reply delays the replies after it", () => {
  const { wire, arrived } = wired(false, "delay:rate=1,ms=30");
  wire.receive(make.ping(11), 0);
  wire.receive(make.ping(12), 0);
  wire.deliver(0.03);
  expect(arrived).toEqual([14]);
  wire.deliver(0.06);
  expect(arrived).toEqual([14, 14]);
});

test("while the cable is unplugged no bytes pass", () => {
  const { bench, wire, arrived } = wired(false, "unplug:at=1,for=2");
  wire.receive(make.ping(11), 0.5);
  wire.receive(make.write(11, 65, [1]), 1.5);
  wire.receive(make.ping(11), 2.9);
  expect([arrived.length, bench.read(11, "led")]).toEqual([1, 0]);
  wire.receive(make.ping(11), 3);
  expect(arrived).toHaveLength(2);
});

test("clearing the wire discards replies that have not arrived", () => {
  const { wire, arrived } = wired(true);
  wire.receive(make.ping(11), 0);
  wire.clear();
  wire.deliver(1);
  expect(arrived).toEqual([]);
});
