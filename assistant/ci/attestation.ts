import type { Report } from "./verdict-files.ts";

/** Outcomes that count as warnings for those who read a test result. */
const WARNED = ["warn", "flaky", "inconclusive"];

/**
 * The verdict as an in-toto test result (https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md):
 * what an attestation says about verdict.json. Its configuration is the app's content and the seed.
 */
export function testResult({ verdict, results, digest = "", version, seed, app }: Report): object {
  const [algorithm = "sha256", hash = ""] = digest.split(":");
  const ids = (statuses: readonly string[]) =>
    results.filter((each) => statuses.includes(each.status)).map(({ id }) => id);
  return {
    result: verdict === "conformant" ? (ids(WARNED).length > 0 ? "WARNED" : "PASSED") : "FAILED",
    configuration: [
      { name: app ?? "app", digest: { [algorithm]: hash } },
      { name: "robot-app-assistant", annotations: { version, seed } },
    ],
    passedTests: ids(["pass"]),
    warnedTests: ids(WARNED),
    failedTests: ids(["fail", "error"]),
  };
}
