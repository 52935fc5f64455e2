import { WorkbenchError } from "../../robot/wire/errors.ts";
import { type Complaint, isContextOverflow } from "./complaint.ts";

/** A server answered with an error, or its answer holds one. */
export class ServerError extends WorkbenchError {
  /** Status of the answer; undefined for an error inside of a good one. */
  readonly status: number | undefined;
  readonly complaint: Complaint;
  /** Time after which the server wants to be asked again, in milliseconds; undefined when it does not say. */
  readonly retryAfterMs: number | undefined;
  /** Whether prompt and answer exceed the model's context. */
  isContextOverflow: boolean;

  constructor(
    detail: string,
    complaint: Complaint,
    { status, retryAfterMs }: { status?: number; retryAfterMs?: number | undefined } = {},
  ) {
    super("model-failed", detail);
    this.name = "ServerError";
    this.status = status;
    this.complaint = complaint;
    this.retryAfterMs = retryAfterMs;
    this.isContextOverflow = isContextOverflow(complaint, status);
  }
}
