import type { StaleWaiver } from "../verdict/verdict.ts";

/** Why a waiver makes the certification fail, as one sentence. */
export const describeStaleWaiver = ({ requirement, why, expires, owner }: StaleWaiver): string =>
  why === "expired"
    ? `The waiver of ${requirement} (${owner}) expired on ${expires}.`
    : `The waiver of ${requirement} (${owner}) is not needed: remove it.`;
