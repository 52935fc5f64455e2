/** Faults that the server injects on request. */
export const FAULTS = {
  truncate: "ends the answer halfway, with finish_reason length",
  "strip-tokens": "removes control tokens from the answer, as servers do by default",
  slow: "pauses between the pieces of an answer",
  hang: "accepts the request and never answers",
  500: "answers 500",
  503: "answers 503 with Retry-After: 0",
  "error-in-200": "sends an error object with the status 200, in the middle of a stream",
  "break-off": "ends a stream without its last events",
} as const;

export type Fault = `${keyof typeof FAULTS}`;

export const FAULT_NAMES = Object.keys(FAULTS) as Fault[];
