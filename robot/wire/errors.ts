/**
 * Every error that people and programs can see, by its code. The HTTP edge turns them into
 * `application/problem+json` (RFC 9457); `docs/errors.md` explains each and a test ties the two together.
 */
export const ERRORS = {
  "app-already-running": { status: 409, title: "An app is already running" },
  "app-not-found": { status: 404, title: "No such app is installed" },
  "no-app-running": { status: 409, title: "No app is running" },
  "app-busy": { status: 409, title: "The app is being installed or removed" },
  "start-cancelled": { status: 409, title: "The start was cancelled" },
  "app-start-failed": { status: 500, title: "The app's process could not be started" },
  "bad-request": { status: 422, title: "The request does not fit the interface" },
  "route-not-found": { status: 404, title: "No such route" },
  "method-not-allowed": { status: 405, title: "The route takes another method" },
  "malformed-request": { status: 400, title: "The request is malformed" },
  "body-too-large": { status: 413, title: "The request body is too large" },
  "workshop-secret": { status: 403, title: "The workshop asks for its secret" },
  "confirmation-required": { status: 409, title: "A person has to confirm this first" },
  "origin-refused": { status: 403, title: "The request comes from another site" },
  "host-refused": { status: 421, title: "The Host header names another machine" },
  "too-many-requests": { status: 429, title: "Too many requests" },
  "token-required": { status: 401, title: "This daemon asks for its token" },
  "robot-not-ready": { status: 503, title: "The robot is not ready" },
  "robot-not-found": { status: 503, title: "No robot was found" },
  "robot-fault": { status: 503, title: "The robot reports a fault" },
  "motors-off": { status: 409, title: "The motors are off" },
  "not-here": { status: 501, title: "The robot here has nothing of the kind" },
  "move-not-found": { status: 404, title: "No such move is running" },
  "target-refused": { status: 422, title: "The target cannot be used" },
  "page-unreachable": { status: 502, title: "The app's settings page does not answer" },
  "camera-unavailable": { status: 503, title: "The robot's camera has no picture" },
  "audio-unavailable": { status: 503, title: "The robot's speaker or microphone does not work" },
  "shutting-down": { status: 503, title: "The daemon is shutting down" },
  "run-not-found": { status: 404, title: "The log has no such run" },
  "report-not-found": { status: 404, title: "There is no report yet" },
  "job-not-found": { status: 404, title: "No such job" },
  "address-refused": { status: 422, title: "The address names no space of the hub" },
  "space-not-found": { status: 404, title: "There is no such space" },
  "hub-unreachable": { status: 503, title: "The hub does not answer" },
  "hub-answer": { status: 502, title: "The answer of the hub cannot be used" },
  "hub-token": { status: 401, title: "The hub asks for another token" },
  "publish-refused": { status: 409, title: "The app was not published" },
  "index-unreachable": { status: 503, title: "The package index does not answer" },
  "dependency-conflict": { status: 409, title: "The app's dependencies do not fit" },
  "system-refused": { status: 503, title: "The system refuses what the daemon needs" },
  "disk-full": { status: 507, title: "The disk is full" },
  "install-failed": { status: 500, title: "The app could not be installed" },
  "app-invalid": { status: 422, title: "This is not a robot app" },
  "python-missing": { status: 500, title: "Python is missing or unusable" },
  "control-token": { status: 422, title: "The text holds a control token of the model" },
  "model-unreachable": { status: 502, title: "The model's server does not answer" },
  "model-failed": { status: 502, title: "The model's server gave no usable answer" },
  "model-missing": { status: 500, title: "The model or the package that runs it is missing" },
  "check-failed": { status: 500, title: "The check itself could not be done" },
  "edit-refused": { status: 409, title: "The edit was refused" },
  "deadline-passed": { status: 504, title: "The deadline passed" },
  "daemon-unreachable": { status: 502, title: "There is no daemon at this address" },
  "daemon-failed": { status: 500, title: "The daemon ended by itself" },
  "data-folder-in-use": { status: 409, title: "Another daemon uses the data folder" },
  usage: { status: 400, title: "The command line is wrong" },
  internal: { status: 500, title: "Internal error of the daemon" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** The error class of all rooms. `detail` names the value, what is wrong with it, what is allowed and the next step. */
export class WorkbenchError extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = "WorkbenchError";
    this.code = code;
  }
}

/** The body of an `application/problem+json` answer. `type` is the path of the page that explains the code. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
}

/** The problem to show for anything thrown. What is not a WorkbenchError becomes `internal`, without its own message. */
export function problemOf(error: unknown): Problem {
  const known = error instanceof WorkbenchError;
  const code = known ? error.code : "internal";
  const { status, title } = ERRORS[code];
  const detail = known ? error.message : "An unexpected error; the daemon's log has its trace.";
  return { type: `/errors/${code}`, title, status, detail, code };
}
