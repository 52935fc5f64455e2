import { z } from "zod";
import { Changes, WorkshopFinding } from "./workshop.ts";

/** A request to the model for an edit of one file. */
export const AskBody = Changes.extend({
  file: z.string().min(1).max(500).describe("The file to edit"),
  instruction: z
    .string()
    .max(20_000)
    .default("")
    .describe("What to change; empty for the next edit after those before, as the model sees it"),
  fix: z
    .union([WorkshopFinding, z.literal("failure"), z.object({ requirement: z.string() })])
    .nullable()
    .default(null)
    .describe(
      "What the edit must end, which is the instruction: a finding of the check, the failure of the app, or a requirement that the last verdict says is not met",
    ),
});
export type AskBody = z.output<typeof AskBody>;

/** What happens until a model's edit is there: one JSON object a line. */
export const AskEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("asking"), model: z.string() }),
  /** The file with the part of the edit that has arrived; each adds hunks to the one before. */
  z.object({ kind: z.literal("draft"), text: z.string() }),
  /** The answer could not be applied exactly; the model is asked again. */
  z.object({ kind: z.literal("refused"), reason: z.string() }),
  /** An edit that is to fix something is tried. */
  z.object({ kind: z.literal("trying") }),
  /** The file with the whole edit; `proof` says how it was tried, for a fix. */
  z.object({
    kind: z.literal("answer"),
    file: z.string(),
    text: z.string(),
    instruction: z.string(),
    notes: z.array(z.string()),
    explanation: z.string(),
    proof: z.string().nullable(),
  }),
  z.object({ kind: z.literal("no-change"), explanation: z.string() }),
  /** There is no edit: no model, a refused answer, or a fix that fixes nothing. */
  z.object({ kind: z.literal("failed"), code: z.string(), detail: z.string() }),
]);
export type AskEvent = z.infer<typeof AskEvent>;
