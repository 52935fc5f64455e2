/** The requirement of the package that runs an app's tests. */
export const PYTEST = "pytest>=7";

/** The extra in an app's pyproject.toml that names what only its tests need. */
export const TEST_EXTRA = "test";

/** What pytest's exit codes mean. */
export const PYTEST_EXIT = { passed: 0, failed: 1, interrupted: 2, usage: 4, noTests: 5 } as const;
