import { jsonOrNull } from "../../../robot/wire/validation/parse-json.ts";
import { type Attempt, type CatalogueVerdict, catalogueVerdict, type VerdictKey } from "../catalogue-verdict.ts";

/** A verdict from its text; null when it is damaged. */
export const parseVerdict = (text: string): CatalogueVerdict | null =>
  catalogueVerdict.safeParse(jsonOrNull(text)).data ?? null;

/** An attempt from its text; null when it is damaged. */
export const parseAttempt = (text: string): Attempt | null =>
  catalogueVerdict.shape.attempts.element.safeParse(jsonOrNull(text)).data ?? null;

/** A key from its text; null when it is damaged. */
export const parseKey = (text: string): VerdictKey | null =>
  catalogueVerdict.shape.key.safeParse(jsonOrNull(text)).data ?? null;
