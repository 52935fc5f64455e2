import { defineConfig } from "vitest/config";
import { DEADLINE_MS } from "./common/testing/deadline.ts";
import { LongestFirst } from "./scripts/setup/longest-first.mjs";
import { withUv } from "./scripts/setup/python-env.mjs";

const ROOMS = "{common,robot,ui,sim,daemon,dashboard,edit,assistant,conformance,fixtures/hub,scripts,lab}";
const INTEGRATION = `${ROOMS}/**/*.integration.test.ts`;
/** Broken apps that are certified. */
const MUTANTS = `${ROOMS}/**/*.mutants.test.ts`;
/** Tests in a real browser, which draws the robot without a graphics card and takes all cores for it. */
const BROWSER = [
  "conformance/catalogue/page.integration.test.ts",
  "conformance/end-to-end/*.integration.test.ts",
  "conformance/report/page.integration.test.ts",
  "conformance/test-runs/page/browser-console.integration.test.ts",
  "daemon/http/browser.integration.test.ts",
  "daemon/workshop/*.integration.test.ts",
];

/** Milliseconds: only a test that hangs takes as long. A whole certification on a busy machine takes more than ten minutes. */
const HANG_MS = 1_200_000;

const shared = {
  setupFiles: "scripts/setup/vitest-seed.ts",
  // The serial port's native module aborts in worker threads.
  pool: "forks",
  testTimeout: HANG_MS,
  hookTimeout: HANG_MS,
  maxConcurrency: 2,
  expect: { poll: { timeout: DEADLINE_MS } },
  env: withUv({ PATH: process.env.PATH }),
} as const;

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: [`${ROOMS}/**/*.test.ts`],
          exclude: ["**/node_modules/**", INTEGRATION, MUTANTS],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
          // Files share the modules of their worker: importing them again for each file takes longer than the tests.
          isolate: false,
        },
      },
      {
        // Tests that start programs and install packages, four files at a time, which keeps two cores busy.
        test: {
          ...shared,
          name: "integration",
          include: [INTEGRATION],
          exclude: ["**/node_modules/**", ...BROWSER],
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: "browser",
          include: BROWSER,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
      {
        // One file judges two apps at a time, which keeps two cores busy: with more, the daemons of some were not in time.
        test: {
          ...shared,
          name: "mutants",
          include: [MUTANTS],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
