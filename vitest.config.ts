import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{robot,sim,daemon,assistant,conformance,scripts}/**/*.test.ts"],
    setupFiles: ["scripts/setup/vitest-seed.ts"],
    pool: "forks",
    testTimeout: 30_000,
  },
});
