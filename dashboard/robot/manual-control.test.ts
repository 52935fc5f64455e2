import { expect, test } from "vitest";
import { type Client, RequestError } from "../connection/client.ts";
import { ManualControl } from "./manual-control.ts";

/** A daemon that answers every request, and what it was asked. */
function daemon() {
  const asked: [string, unknown][] = [];
  const answer = async <T>(path: string, body?: unknown): Promise<T> => {
    asked.push([path, body]);
    return ["nod"] as T;
  };
  const client: Client = { get: answer, post: answer, put: answer, delete: answer };
  return { asked, client };
}

test("a slider sends the whole pose in metres and radians", async () => {
  const { asked, client } = daemon();
  const control = new ManualControl(client, () => {});
  control.set("yaw", 90);
  control.set("z", 10);
  await new Promise((resolve) => setImmediate(resolve));
  const [path, body] = asked.at(-1) ?? [];
  expect(path).toBe("/api/move/set_target");
  expect(body).toMatchObject({ antennas: [0, 0], body_yaw: 0 });
  const { head_pose } = body as { head_pose: { yaw: number; z: number } };
  expect(head_pose.yaw).toBeCloseTo(Math.PI / 2);
  expect(head_pose.z).toBe(0.01);
  await control.centre();
  expect(control.pose.value.yaw).toBe(0);
  expect(asked.at(-1)?.[0]).toBe("/api/move/goto");
});

test("the recorded moves are loaded once and played by name; a refusal is reported", async () => {
  const { asked, client } = daemon();
  const errors: unknown[] = [];
  const control = new ManualControl(client, (error) => errors.push(error));
  await control.loadMoves();
  await control.loadMoves();
  expect(control.moves.value).toEqual(["nod"]);
  await control.play("nod");
  expect(asked.map(([path]) => path)).toEqual([
    "/api/move/recorded-move-datasets/list/built-in",
    "/api/move/play/recorded-move-dataset/built-in/nod",
  ]);
  const refused = new ManualControl(
    { ...client, post: () => Promise.reject(new RequestError("motors-off", "The motors are off.")) },
    (error) => errors.push(error),
  );
  await refused.play("nod");
  expect(errors).toEqual([expect.objectContaining({ code: "motors-off" })]);
});
