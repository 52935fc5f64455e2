import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shown } from "../../robot/wire/shown.ts";
import type { OpenApi, Schema } from "./openapi.ts";
import { fitting } from "./testing/requests.ts";
import { startTestDaemon, type TestDaemon } from "./testing/test-daemon.ts";

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon([]);
});
afterAll(() => daemon.close());

interface BadInput {
  method: string;
  path: string;
  /** What must be named. */
  place: string;
  value: unknown;
  headers?: Record<string, string>;
  body?: string;
}

/** The kinds of values that a schema takes, alternatives and all. */
function kindsOf(schema: Schema): string[] {
  const either = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (either) return either.flatMap(kindsOf);
  return [schema.type ?? typeof (schema.const ?? schema.enum?.toString())].flat().map(String);
}

/** Values of kinds that do not fit, and texts that are none of the few that do. */
function misfits(schema: Schema): fc.Arbitrary<unknown> {
  const kinds = kindsOf(schema);
  const isFree = kinds.includes("string") && schema.enum === undefined && schema.const === undefined;
  const wrong = [
    fc.constant({}),
    fc.constant(["a"]),
    fc.string().map((text) => `?${text}`),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
  ];
  const kind = ["object", "array", "string", "number", "boolean"];
  const left = wrong.filter((_, i) => {
    if (kind[i] === "string") return !isFree;
    return !kinds.includes(kind[i] ?? "") && !(kind[i] === "number" && kinds.includes("integer"));
  });
  return fc.oneof(...left).map((value) => JSON.parse(JSON.stringify(value)));
}

/** For every route that takes a body or a query: right but for one field. */
function badInputs(document: OpenApi): fc.Arbitrary<BadInput>[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([way, { requestBody, parameters }]) => {
      const method = way.toUpperCase();
      const at = path.replace(/\{\w+\}/g, "obedient");
      const schema = requestBody?.content["application/json"]?.schema ?? {};
      const inBody = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, of]) =>
        fc.tuple(fitting(schema), misfits(of)).map(([right, value]) => ({
          method,
          path: at,
          place: `body.${name}`,
          value,
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ ...(right as object), [name]: value }),
        })),
      );
      const numbers = parameters.filter((one) => one.in === "query" && one.schema.type !== "string");
      const inQuery = numbers.map(({ name }) =>
        fc.constantFrom("many", "1e9", "-1", "2 or 3").map((value) => ({
          ...{ method, value, place: `query.${name}`, path: `${at}?${new URLSearchParams({ [name]: value })}` },
        })),
      );
      return [...inBody, ...inQuery];
    }),
  );
}

test("whatever field of whatever route is wrong, the answer names it, its value and where to read on", {
  timeout: 120_000,
}, async () => {
  const inputs = badInputs(await daemon.json<OpenApi>("/openapi.json"));
  expect(inputs.length).toBeGreaterThan(15);
  for (const input of inputs) {
    await fc.assert(
      fc.asyncProperty(input, async ({ path, place, value, ...request }) => {
        const { status, headers, text } = await daemon.ask(path, request);
        expect(status, text).toBe(422);
        expect(headers["content-type"]).toBe("application/problem+json; charset=utf-8");
        const { code, detail } = JSON.parse(text);
        expect(code).toBe("bad-request");
        expect(detail).toContain(`${place} is ${shown(value)}; it must be `);
        expect(detail).toMatch(/ See \/docs#[A-Z]+%20\/\S+ for what it takes\.$/);
        expect(detail).not.toMatch(/Invalid|undefined|expected|received|Too (big|small)/);
        expect(detail.length).toBeLessThan(1000);
      }),
      { numRuns: 8 },
    );
  }
});

test.each([
  [
    "degrees",
    "/api/move/goto",
    { body_yaw: 30 },
    "body.body_yaw is 30; it must be an angle in radians, not degrees, from -6.283 to 6.283: 30 degrees are 0.5236.",
  ],
  [
    "degrees of a head",
    "/api/move/set_target",
    { head_pose: { yaw: -20 } },
    "body.head_pose.yaw is -20; it must be an angle in radians",
  ],
  [
    "degrees of an antenna",
    "/api/move/set_target",
    { antennas: [0, 90] },
    "body.antennas[1] is 90; it must be an angle in radians",
  ],
  [
    "millimetres",
    "/api/move/goto",
    { head_pose: { z: 10 } },
    "body.head_pose.z is 10; it must be a length in metres, not millimetres, from -1 to 1: 10 mm are 0.01.",
  ],
  [
    "misspelt fields",
    "/api/move/goto",
    { antenna: [0, 0] },
    "body.antenna is no field of this request; it must be antennas.",
  ],
  [
    "milliseconds",
    "/api/move/goto",
    { body_yaw: 0, duration: 1500 },
    "body.duration is 1500; it must be a time in seconds, above 0 and at most 60: 1500 ms are 1.5.",
  ],
])("%s are refused, not clipped", async (_, path, body, detail) => {
  const answer = await daemon.ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(422);
  expect(JSON.parse(answer.text).detail).toContain(detail);
});
