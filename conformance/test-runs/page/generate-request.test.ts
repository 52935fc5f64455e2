import { expect, test } from "vitest";
import { seededRandom } from "../../../common/seeded-random.ts";
import { RequestGenerator, simplerRequests } from "./generate-request.ts";
import type { RouteSchema } from "./openapi.ts";

const routes: RouteSchema[] = [
  {
    method: "GET",
    path: "/energy",
    parameters: [{ name: "unit", in: "query", schema: { enum: ["percent", "share"] } }],
    body: null,
  },
  {
    method: "POST",
    path: "/energy/{percent}",
    parameters: [{ name: "percent", in: "path", schema: { type: "integer", minimum: 0, maximum: 100 } }],
    body: { $ref: "#/components/schemas/Energy" },
  },
];
const schemas = {
  Energy: { type: "object", properties: { boost: { type: "boolean" }, name: { type: "string" } }, required: ["boost"] },
};
const requestsOf = (seed: number) => {
  const generator = new RequestGenerator(schemas, seededRandom(seed));
  return Array.from({ length: 300 }, () => generator.request(routes));
};

test("a seed always gives the same requests", () => {
  expect(requestsOf(7)).toEqual(requestsOf(7));
  expect(requestsOf(7)).not.toEqual(requestsOf(8));
});

test("requests fill path, query and body by their schemas, at the limits and beyond", () => {
  const requests = requestsOf(1);
  const numbers = requests.flatMap(({ path }) => /^\/energy\/(-?\d+)$/.exec(path)?.[1] ?? []);
  for (const number of ["0", "100", "-1", "101"]) expect(numbers).toContain(number);
  expect(requests.map(({ path }) => path)).toContain("/energy?unit=percent");
  const bodies = requests.flatMap(({ body }) => body ?? []);
  for (const body of ['{"boost":true}', '{"boost":false}', "{", ""]) expect(bodies).toContain(body);
  expect(bodies.some((body) => /"boost":(?!true|false)/.test(body))).toBe(true);
});

test("simplifying comes to an end, whatever fails", () => {
  for (const seed of [1, 2, 3])
    for (const request of requestsOf(seed)) {
      let simplest = request;
      for (let step = 0; ; step += 1) {
        const [next] = simplerRequests(simplest);
        if (next === undefined) break;
        expect(step).toBeLessThan(10);
        simplest = next;
      }
    }
});

test("a request that failed has simpler ones: no body, no query, single fields left out", () => {
  const request = { method: "POST", path: "/energy/1?unit=share", body: '{"boost":true,"name":"é"}' };
  expect(simplerRequests(request)).toEqual([
    { method: "POST", path: "/energy/1", body: "" },
    { method: "POST", path: "/energy/1", body: "{}" },
    { method: "POST", path: "/energy/1?unit=share", body: '{"name":"é"}' },
    { method: "POST", path: "/energy/1?unit=share", body: '{"boost":true}' },
    { method: "POST", path: "/energy/1", body: '{"boost":true,"name":"é"}' },
  ]);
});
