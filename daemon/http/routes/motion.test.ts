import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestDaemon, type TestDaemon } from "../testing/test-daemon.ts";

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon([]);
});
afterAll(() => daemon.close());

async function post(path: string, body: object = {}): Promise<{ status: number; code?: string }> {
  const headers = { "content-type": "application/json" };
  const { status, text } = await daemon.request(path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status, ...(status === 200 ? {} : { code: JSON.parse(text).code }) };
}

test("set_target and goto answer in the same way: motors off, a running move, and when they can be done", async () => {
  const target = { antennas: [0.1, -0.1] };
  await post("/api/motors/set_mode/disabled");
  expect(await post("/api/move/set_target", target)).toEqual({ status: 409, code: "motors-off" });
  expect(await post("/api/move/goto", target)).toEqual({ status: 409, code: "motors-off" });

  await post("/api/motors/set_mode/enabled");
  expect(await post("/api/move/set_target", target)).toEqual({ status: 200 });
  expect(await post("/api/move/goto", { ...target, duration: 60 })).toEqual({ status: 200 });
  expect(await post("/api/move/set_target", target)).toEqual({ status: 422, code: "target-refused" });
});
