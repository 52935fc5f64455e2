import { z } from "zod";
import { ERRORS, type ErrorCode } from "../../../robot/wire/errors.ts";

const Code = z.custom<ErrorCode>((code) => typeof code === "string" && code in ERRORS);

/** The answer to a call: what the method resolved with, or the error that it rejected with. */
export const AnswerMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("result"), id: z.int(), value: z.unknown() }),
  z.object({ kind: z.literal("error"), id: z.int(), code: Code, detail: z.string() }),
]);
export type AnswerMessage = z.infer<typeof AnswerMessage>;
