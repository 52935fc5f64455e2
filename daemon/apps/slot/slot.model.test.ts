import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WorkbenchError } from "../../../robot/wire/errors.ts";
import { anySlotWalk } from "../testing/slot-walk.ts";
import { Slot, type SlotParts } from "./slot.ts";

test("in any order of events, the slot holds one app, answers every request and lets the robot return to default", async () => {
  await fc.assert(
    anySlotWalk((parts) => new Slot(parts)),
    { numRuns: 5000 },
  );
});

describe("the random walk finds a slot that", () => {
  const isCaught = async (makeSlot: (parts: SlotParts) => Slot) =>
    expect(fc.assert(anySlotWalk(makeSlot), { numRuns: 5000, includeErrorInReport: true })).rejects.toThrow(/broken: /);

  test("starts a second app", () =>
    isCaught(
      (parts) =>
        new (class extends Slot {
          #starts = 0;
          override get busy() {
            return this.#starts === 0 && super.busy;
          }
          override start(name: string) {
            this.#starts += 1;
            return super.start(name).finally(() => {
              this.#starts -= 1;
            });
          }
        })(parts),
    ));

  test("ignores a stop while the app starts", () =>
    isCaught(
      (parts) =>
        new (class extends Slot {
          override async stop() {
            const status = this.status();
            return status?.state === "starting" ? status : super.stop();
          }
        })(parts),
    ));

  test("does not wait for the robot to return", () =>
    isCaught((parts) => {
      const endAppSession = async () => {
        void parts.robot.endAppSession();
        return "finished" as const;
      };
      return new Slot({ ...parts, robot: { ...parts.robot, endAppSession } });
    }));

  test("closes while an app lives", () =>
    isCaught(
      (parts) =>
        new (class extends Slot {
          override async close() {}
        })(parts),
    ));

  test("is free in the middle of a restart", () =>
    isCaught(
      (parts) =>
        new (class extends Slot {
          override async restart() {
            const { info } = await super.stop();
            return super.start(info.name);
          }
        })(parts),
    ));

  test("is free in the middle of a replacement", () =>
    isCaught(
      (parts) =>
        new (class extends Slot {
          override async start(name: string, { replace = false } = {}) {
            if (replace && this.busy) await super.stop().catch(() => undefined);
            return super.start(name, { replace });
          }
        })(parts),
    ));

  test("restarts an app that was stopped meanwhile", () =>
    isCaught(
      (parts) =>
        new (class extends Slot {
          override async restart(options = {}) {
            const name = this.status()?.info.name ?? "";
            return super.restart(options).catch((error: WorkbenchError) => {
              if (error.code !== "start-cancelled") throw error;
              return super.start(name, { replace: true });
            });
          }
        })(parts),
    ));

  test("leaves the robot where it is in every restart", () =>
    isCaught(
      (parts) =>
        new (class extends Slot {
          override restart() {
            return super.restart({ inPlace: true });
          }
        })(parts),
    ));
});
