import { WorkbenchError } from "../../robot/wire/errors.ts";

/** The error for an app that is not published. @param detail the reason, and what to do */
export function publishRefused(detail: string): WorkbenchError {
  return new WorkbenchError("publish-refused", detail);
}
