import { WorkbenchError } from "../../robot/wire/errors.ts";

/** The refusal to publish; `detail` says what would be lost or shown, and what to do instead. */
export function refused(detail: string): WorkbenchError {
  return new WorkbenchError("publish-refused", detail);
}
