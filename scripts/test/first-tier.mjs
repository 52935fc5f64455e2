/**
 * The tests of `npm test` beside check, unit tests, the SDK's tests and scenarios: a file for each mechanism that only a real
 * program, a real Python, a real device path or a real git shows, and why. All other files run in `npm test -- all`.
 * @type {readonly (readonly [file: string, reason: string])[]}
 */
export const FIRST_INTEGRATION = [
  ["daemon/apps/app-host.integration.test.ts", "start, exit and crash of a real app"],
  ["daemon/apps/stop/orphaned-app.integration.test.ts", "an app whose daemon was killed is ended"],
  ["daemon/apps/start/warm-interpreter.integration.test.ts", "a started interpreter becomes an app"],
  ["daemon/apps/install/install-app.integration.test.ts", "a real build and install"],
  ["daemon/apps/install/environment/transaction.integration.test.ts", "a change of the environment rolls back"],
  ["daemon/apps/install/hub-install.integration.test.ts", "an install from a real git hub"],
  ["common/files/process-lock.integration.test.ts", "one program holds a data folder"],
  ["daemon/http/fuzz.integration.test.ts", "random requests to the real server"],
  ["daemon/robot-client/start-robot.integration.test.ts", "the robot process, its channel and its end"],
  ["daemon/second-signal.integration.test.ts", "Ctrl-C twice ends the real daemon"],
  ["daemon/start/physical-robot.integration.test.ts", "the daemon drives servos over a device path"],
  ["sim/robot-sim.integration.test.ts", "the servo bus over a device path and TCP"],
  ["fixtures/hub/server/hub.integration.test.ts", "the hub that tests publish to is a git server"],
  ["assistant/commands/dev.integration.test.ts", "dev runs an app anew after a change"],
  ["conformance/runner/isolation/app-python.integration.test.ts", "an app under judgement is confined"],
  ["scripts/test/end-processes.integration.test.ts", "tests leave no process behind"],
];

/** Certifications of the first tier. @type {readonly (readonly [file: string, reason: string])[]} */
export const FIRST_CERTIFICATIONS = [
  ["conformance/testing/first-tier.mutants.test.ts", "a good app, and a broken one of each family of requirements"],
];

/** Tests of the first tier in a real browser. @type {readonly (readonly [file: string, reason: string])[]} */
export const FIRST_BROWSER = [
  ["conformance/end-to-end/dashboard.integration.test.ts", "a walk through the dashboard"],
  ["daemon/workshop/page.integration.test.ts", "a walk through the workshop"],
];

/**
 * Arguments of Cucumber for the scenarios of the first tier: those of the contract, with a daemon in this process. Without @wire,
 * where a robot-sim that a busy machine does not let answer for a second is a fault of the robot.
 */
export const FIRST_SCENARIOS = ["--tags", "not @thorough and not @spawn and not @wire", "features/*.feature"];
/** The lifecycle table runs against the real programs, too. */
export const FIRST_SPAWNED_SCENARIOS = ["--tags", "not @thorough", "features/lifecycle.feature"];

/** Arguments of pytest for the SDK's tests of the first tier. */
export const FIRST_SDK = ["-m", "not thorough", "--ignore=sdk/tests/conversation", "--ignore=sdk/tests/examples"];
