import { defineConfig } from "vitest/config";
import { DEADLINE_MS } from "./common/testing/deadline.ts";
import { withUv } from "./scripts/setup/python-env.mjs";
import { FIRST_BROWSER, FIRST_CERTIFICATIONS, FIRST_INTEGRATION } from "./scripts/test/first-tier.mjs";

const ROOMS = "{common,robot,ui,sim,daemon,dashboard,edit,assistant,conformance,fixtures/hub,scripts,lab}";
const UNIT = `${ROOMS}/**/*.test.ts`;
const INTEGRATION = `${ROOMS}/**/*.integration.test.ts`;
/** Broken apps that are certified. */
const MUTANTS = `${ROOMS}/**/*.mutants.test.ts`;
/** Tests in a real browser, which draws the robot without a graphics card and takes all cores for it. */
const BROWSER = [
  "conformance/end-to-end/*.integration.test.ts",
  "conformance/report/page.integration.test.ts",
  "conformance/test-runs/page/browser-console.integration.test.ts",
  "daemon/http/browser.integration.test.ts",
  "daemon/workshop/*.integration.test.ts",
];

/** Milliseconds: only a test that hangs takes as long. A whole certification on a busy machine takes more than ten minutes. */
const HANG_MS = 1_200_000;

const filesOf = (tests: readonly (readonly [file: string, reason: string])[]): string[] => tests.map(([file]) => file);
const first = {
  integration: filesOf(FIRST_INTEGRATION),
  mutants: filesOf(FIRST_CERTIFICATIONS),
  browser: filesOf(FIRST_BROWSER),
};

/**
 * A project of test files, which starts when the one before it has ended.
 * @param maxWorkers files at a time
 */
const project = (name: string, groupOrder: number, maxWorkers: number, include: string[], exclude: string[] = []) => ({
  test: {
    name,
    include,
    exclude: ["**/node_modules/**", ...exclude],
    maxWorkers,
    sequence: { groupOrder },
    setupFiles: "scripts/test/vitest-seed.ts",
    // The serial port's native module aborts in worker threads.
    pool: "forks" as const,
    // Files of unit tests share the modules of their worker: importing them again for each file takes longer than the tests.
    isolate: name !== "unit",
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    maxConcurrency: 2,
    expect: { poll: { timeout: DEADLINE_MS } },
    env: withUv({ PATH: process.env.PATH }),
  },
});

// Programs and installs wait much, so four files at a time keep two cores busy. A file of certifications judges two apps at a time,
// and browsers take all cores. What is named -all is not in the first tier (scripts/test/plan.mjs).
export default defineConfig({
  test: {
    projects: [
      project("unit", 0, 2, [UNIT], [INTEGRATION, MUTANTS]),
      project("integration", 1, 4, first.integration),
      project("mutants", 2, 1, first.mutants),
      project("browser", 3, 1, first.browser),
      project("integration-all", 4, 4, [INTEGRATION], [...BROWSER, ...first.integration]),
      project("mutants-all", 5, 1, [MUTANTS], first.mutants),
      project("browser-all", 6, 1, BROWSER, first.browser),
    ],
  },
});
