import type { ErrorCode } from "../../../robot/wire/errors.ts";

/** Errors of an install that are the app's fault. */
export const APP_ERRORS: readonly ErrorCode[] = ["app-invalid", "install-failed", "dependency-conflict"];
