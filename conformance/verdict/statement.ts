import { createHash } from "node:crypto";
import { z } from "zod";
import { type DecidedVerdict, OUTCOMES, type Outcome } from "./verdict.ts";

const STATEMENT = "https://in-toto.io/Statement/v1";
/** https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md */
const TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1";

const ids = z.array(z.string());

/** What a statement about an app must hold; other fields are allowed. */
export const Statement = z.object({
  _type: z.literal(STATEMENT),
  subject: z.array(z.object({ name: z.string(), digest: z.record(z.string(), z.string()) })).min(1),
  predicateType: z.literal(TEST_RESULT),
  predicate: z.object({
    result: z.enum(["PASSED", "WARNED", "FAILED"]),
    configuration: z.array(z.object({ name: z.string(), annotations: z.record(z.string(), z.unknown()).optional() })),
    passedTests: ids,
    warnedTests: ids,
    failedTests: ids,
    robotApp: z.object({
      verdict: z.enum(["conformant", "not-conformant"]),
      suite: z.string(),
      dirHash: z.string(),
      wheel: z.string().nullable().optional(),
      outcomes: z.record(z.string(), z.enum(OUTCOMES)),
      seed: z.int(),
      startedAt: z.iso.datetime(),
      isolation: z.object({ sandbox: z.string(), network: z.string() }),
    }),
  }),
});
export type Statement = z.infer<typeof Statement>;

/** Name of the app's files among the subjects is the app's; this is the name of the whole verdict. */
export const VERDICT_FILE = "verdict.json";

/** Name of an app's wheel among the subjects. */
const wheelOf = (app: string): string => `${app}.whl`;

/** A package URL: a resource descriptor of in-toto has a uri, a digest or its content. */
const packageUrl = (typeAndName: string, version: string | null): string =>
  `pkg:${typeAndName}${version === null ? "" : `@${encodeURIComponent(version)}`}`;
const program = (version: string): string => packageUrl("npm/robot-daemon", version);

/** JSON in Base64, as the content of a resource descriptor. */
const contentOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");

/**
 * A verdict as an in-toto statement about the app's files.
 * @param text of verdict.json, which becomes a second subject
 */
export function statementOf(verdict: DecidedVerdict, text: string) {
  const { environment, results, counts, isolation, seed, startedAt, duration } = verdict;
  const idsWith = (...outcomes: Outcome[]) =>
    results.filter((each) => outcomes.includes(each.status)).map(({ id }) => id);
  const { suite, daemon, simulator, sdk, python, dependencies, options, machine } = environment;
  return {
    _type: STATEMENT,
    subject: [
      { name: verdict.app ?? "app", digest: { dirHash: verdict.dirHash } },
      ...(verdict.wheel ? [{ name: wheelOf(verdict.app ?? "app"), digest: { dirHash: verdict.wheel } }] : []),
      { name: VERDICT_FILE, digest: { sha256: createHash("sha256").update(text).digest("hex") } },
    ],
    predicateType: TEST_RESULT,
    predicate: {
      result: verdict.verdict === "not-conformant" ? "FAILED" : counts.warn > 0 ? "WARNED" : "PASSED",
      configuration: [
        { name: "robot-app-assistant certify", uri: program(suite), annotations: { version: suite, options, seed } },
        { name: "robot-daemon", uri: program(daemon), annotations: { version: daemon } },
        { name: "robot-sim", uri: program(simulator), annotations: { version: simulator } },
        { name: "robot-sdk", uri: packageUrl("pypi/robot-sdk", sdk), annotations: { version: sdk } },
        { name: "python", uri: packageUrl("generic/python", python), annotations: { version: python, dependencies } },
        { name: "machine", content: contentOf(machine), annotations: { ...machine } },
      ],
      passedTests: idsWith("pass"),
      warnedTests: idsWith("warn"),
      failedTests: idsWith("fail"),
      // What the predicate type has no fields for.
      robotApp: {
        verdict: verdict.verdict,
        dirHash: verdict.dirHash,
        wheel: verdict.wheel ?? null,
        suite,
        seed,
        startedAt,
        duration,
        isolation,
        outcomes: Object.fromEntries(results.map(({ id, status }) => [id, status])),
      },
    },
  };
}
