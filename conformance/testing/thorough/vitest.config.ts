import { defineConfig } from "vitest/config";

/** Every broken app against the requirement that it breaks, and every healthy one against all: most of an hour. */
export default defineConfig({
  test: {
    root: ".",
    include: ["conformance/testing/thorough/**/*.check.ts"],
    pool: "forks",
    fileParallelism: false,
    testTimeout: 900_000,
  },
});
