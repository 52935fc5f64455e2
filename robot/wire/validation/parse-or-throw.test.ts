import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { countIn, durationUpTo, Matrix16, positiveUpTo } from "../quantities.ts";
import { XyzRpy } from "../robot/robot-fields.ts";
import { formatForMessage } from "./format-for-message.ts";
import { parseOrThrow } from "./parse-or-throw.ts";

const messageOf = (schema: z.ZodType, value: unknown): string => {
  try {
    parseOrThrow(schema, value, "body");
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`${formatForMessage(value)} fits`);
};

describe("the message has the path, the value and what is allowed", () => {
  const head = z.object({ head: z.union([XyzRpy, Matrix16]).nullish() });
  test.each<[z.ZodType, unknown, string]>([
    [z.object({ uuid: z.string() }), {}, "body.uuid is missing; it must be a text."],
    [z.object({ on: z.boolean() }), { on: "yes" }, 'body.on is "yes"; it must be true or false.'],
    [z.object({ on: z.stringbool() }), { on: "maybe" }, 'body.on is "maybe"; it must be true or false.'],
    [z.object({}), 5, "body is 5; it must be an object."],
    [z.tuple([z.number(), z.number()]), [1], "body is [1]; it must be a list of at least 2 items."],
    [z.number(), Number.POSITIVE_INFINITY, "body is Infinity; it must be a finite number."],
    [z.int(), 1.5, "body is 1.5; it must be a whole number."],
    [z.string().max(3), "four", 'body is "four"; it must be a text of at most 3 characters.'],
    [z.enum(["a", "b"]), "c", 'body is "c"; it must be one of "a", "b".'],
    [z.literal(true), false, "body is false; it must be true."],
    [z.record(z.string(), z.number()), { "a b": "c" }, 'body["a b"] is "c"; it must be a number.'],
    [
      z.discriminatedUnion("type", [z.object({ type: z.literal("a") })]),
      { type: 1 },
      'body.type is 1; it must be "a".',
    ],
    [z.object({ any: z.unknown() }), {}, "body.any is missing; it must be given."],
    [z.union([z.string(), z.null()], "a text or nothing"), 5, "body is 5; it must be a text or nothing."],
    [head, { head: "up" }, 'body.head is "up"; it must be an object or a list.'],
    [head, { head: { yaw: "left" } }, 'body.head.yaw is "left"; it must be a number.'],
    [head, { head: [1, 2] }, "body.head is [1, 2]; it must be a list of exactly 16 items."],
    [durationUpTo(60), 0, "body is 0; it must be a time in seconds, above 0 and at most 60."],
    [positiveUpTo(5, "kilograms"), 6, "body is 6; it must be a number of kilograms, above 0 and at most 5."],
    [z.iso.date(), "2030-02-30", 'body is "2030-02-30"; it must be a date, YYYY-MM-DD.'],
    [
      z.strictObject({ owner: z.string().optional(), until: z.string().optional() }),
      { ownr: "me" },
      'body is {"ownr": "me"}; it must be without "ownr": did you mean owner?',
    ],
    [
      z.strictObject({ owner: z.string().optional(), until: z.string().optional() }),
      { colour: 1 },
      'body is {"colour": 1}; it must be without "colour": its fields are owner, until.',
    ],
    [countIn(1, 9), "many", 'body is "many"; it must be a whole number from 1 to 9.'],
  ])("%#", (schema, value, sentence) => {
    expect(messageOf(schema, value)).toBe(sentence);
  });

  test("describes three problems, and counts the others", () => {
    const schema = z.object({ a: z.string(), b: z.string(), c: z.string(), d: z.string(), e: z.string() });
    expect(messageOf(schema, {})).toMatch(
      /^(body\.[abc] is missing; it must be a text\. ){3}2 more fields are wrong\.$/,
    );
  });
});

test("any value is formatted as one short line", () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i += 1) deep = [deep];
  expect(formatForMessage(deep)).toBe("[[[…]]]");
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = formatForMessage(value);
      expect(text.length).toBeLessThan(4000);
      expect(text).not.toMatch(/[\n\r]/);
    }),
  );
});
