/** A fault that the replay server injects. */
export type AnswerFault =
  /** Ends the answer halfway, with finish_reason length. */
  | "truncate"
  /** Removes control tokens from the answer, as servers do by default. */
  | "strip-tokens"
  /** Pauses between the pieces of an answer. */
  | "slow"
  /** Accepts the request and never answers. */
  | "hang"
  | "500"
  /** With Retry-After: 0. */
  | "503"
  /** Sends an error object with the status 200, in the middle of a stream. */
  | "error-in-200"
  /** Ends a stream without its last events. */
  | "break-off";
