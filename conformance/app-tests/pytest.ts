/** What the tests of an app are run with. */
export const PYTEST = "pytest>=7";

/** The extra of an app with what its tests need besides. */
export const TEST_EXTRA = "test";

/** What pytest's exit codes mean. */
export const PYTEST_EXIT = { passed: 0, failed: 1, interrupted: 2, usage: 4, noTests: 5 } as const;
