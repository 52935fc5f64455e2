import { z } from "zod";
import { jsonOrNull } from "../../../robot/wire/validation/parse-json.ts";
import type { AppTests } from "../../verdict/verdict.ts";

/** Tests whose outcome is kept: the tests can report any number. */
const MAX_TESTS = 10_000;
/** Failures whose message is kept. */
const MAX_FAILURES = 20;

const Result = z.object({
  test: z.string(),
  outcome: z.enum(["passed", "failed", "skipped"]),
  message: z.string().optional(),
});
/** A line of `run_tests.py`. Tests can write such lines, too, so none is trusted. */
const Line = z.union([z.object({ begins: z.string() }), z.object({ ended: z.literal("all") }), Result]);

/** The results of the tests that have been reported so far. */
export class TestResults {
  /** The test that began last; null before the first one. */
  last: string | null = null;
  /** Whether pytest has come to its end. */
  hasEnded = false;
  readonly #outcomes = new Map<string, "passed" | "failed" | "skipped">();
  readonly #failures = new Map<string, string>();

  /** Takes a line of `run_tests.py`; ignores every other line. */
  readonly add = (line: string): void => {
    const { data } = Line.safeParse(jsonOrNull(line));
    if (data === undefined) return;
    if ("begins" in data) this.last = data.begins;
    else if ("ended" in data) this.hasEnded = true;
    else this.#addResult(data);
  };

  #addResult({ test, outcome, message = "" }: z.infer<typeof Result>): void {
    const before = this.#outcomes.get(test);
    // A failure stays: a test may fail in its clean-up after it has passed, or pass when it is repeated.
    if (before === "failed" || (before === undefined && this.#outcomes.size >= MAX_TESTS)) return;
    this.#outcomes.set(test, outcome);
    if (outcome === "failed" && this.#failures.size < MAX_FAILURES) this.#failures.set(test, message);
  }

  /** How often each outcome occurs, and the first failures. */
  get counts(): Pick<AppTests, "passed" | "failed" | "skipped" | "failures"> {
    const count = (wanted: string) => [...this.#outcomes.values()].filter((outcome) => outcome === wanted).length;
    return {
      passed: count("passed"),
      failed: count("failed"),
      skipped: count("skipped"),
      failures: [...this.#failures].map(([test, message]) => ({ test, message })),
    };
  }
}
