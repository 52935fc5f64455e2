import { expect, test } from "vitest";
import { z } from "zod";
import { schemaText } from "./schema-text.ts";

test("a schema is formatted like a TypeScript type", () => {
  const schema = z.object({
    name: z.string(),
    head: z.array(z.number()).length(16).nullish().describe("Row-major"),
    methods: z.array(z.enum(["linear", "minjerk"])),
    pair: z.tuple([z.number(), z.boolean()]),
    duration: z.number().positive().max(60).default(1),
    count: z.int().min(1),
    inner: z.object({ on: z.literal(true) }),
    extra: z.record(z.string(), z.unknown()),
  });
  expect(schemaText(z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>)).toBe(`{
  name: string
  head?: number[16] | null  // Row-major
  methods: ("linear" | "minjerk")[]
  pair: [number, boolean]
  duration?: number above 0 to 60 = 1
  count: integer from 1
  inner: {
    on: true
  }
  extra: { [name]: any }
}`);
});
