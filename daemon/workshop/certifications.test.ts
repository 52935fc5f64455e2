import { expect, test } from "vitest";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { CertificationState } from "../../robot/wire/workshop/certification.ts";
import { Certifications, type Certify } from "./certifications.ts";

const UNMET = {
  id: "LIFE-003",
  level: "MUST" as const,
  title: "It stops",
  status: "fail" as const,
  message: "It did not stop.",
  file: "app/main.py",
  line: 3,
};
const JUDGED = { verdict: "not-conformant" as const, unmet: [UNMET], seconds: 12 };
const FILES = { "app/main.py": "hash" };

/** Certifications whose ends a test decides, in the order in which they began. */
function certificationsWith() {
  const begun: { copy: Parameters<Certify>[0]; report: Parameters<Certify>[1]; end(error?: Error): void }[] = [];
  const copies: unknown[] = [];
  const errors: unknown[] = [];
  const certify: Certify = (copy, report, signal) =>
    new Promise((resolve, reject) => {
      begun.push({ copy, report, end: (error) => (error ? reject(error) : resolve(JUDGED)) });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const copyToCertify = async (changes: unknown) => {
    copies.push(changes);
    return { folder: "/copy", files: FILES };
  };
  const certifications = new Certifications({
    workshop: { copyToCertify },
    certify,
    folder: "/reports",
    onError: (error) => void errors.push(error),
  });

  const states: CertificationState[] = [];
  certifications.changes.on((state) => void states.push(state));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { certifications, begun, copies, states, errors, settled };
}
const signal = new AbortController().signal;

test("a certification reports its steps and ends with a verdict about the text as it was then", async () => {
  const { certifications, begun, states, settled } = certificationsWith();
  certifications.start("short");
  await settled();
  expect(begun[0]?.copy).toEqual({ folder: "/copy", tier: "short", only: null, out: "/reports/of-the-app" });
  begun[0]?.report({ done: 2, planned: 9, violated: ["LIFE-003"] });
  begun[0]?.end();
  await settled();
  expect(states.map(({ running }) => running?.done ?? null)).toEqual([0, 2, null]);
  expect(certifications.state).toEqual({
    running: null,
    verdict: { ...JUDGED, tier: "short", files: FILES },
    problem: null,
  });
  expect(certifications.reportFile).toBe("/reports/of-the-app/report.html");
});

test("a certification takes the place of the one that runs, whose end changes nothing", async () => {
  const { certifications, begun, settled } = certificationsWith();
  certifications.start("whole");
  await settled();
  certifications.start("short");
  begun[0]?.report({ done: 5, planned: 9, violated: [] });
  expect(certifications.state.running).toMatchObject({ tier: "short", done: 0 });
  await settled();
  expect(begun).toHaveLength(2);
  begun[1]?.end();
  await settled();
  expect(certifications.state).toMatchObject({ running: null, verdict: { tier: "short" }, problem: null });
});

test("one that is replaced before it begins is left out", async () => {
  const { certifications, begun, settled } = certificationsWith();
  for (const tier of ["whole", "whole", "short"] as const) certifications.start(tier);
  await settled();
  expect(begun.map(({ copy }) => copy.tier)).toEqual(["short"]);
});

test("a cancelled certification leaves the last verdict, and one that fails says why", async () => {
  const { certifications, begun, errors, settled } = certificationsWith();
  certifications.start("short");
  await settled();
  begun[0]?.end();
  await settled();
  certifications.start("whole");
  await settled();
  certifications.cancel();
  expect(certifications.state).toMatchObject({ running: null, verdict: { tier: "short" }, problem: null });
  certifications.start("whole");
  await settled();
  const noPython = new WorkbenchError("python-missing", "Python 3.10 is missing.");
  begun[2]?.end(noPython);
  await settled();
  expect(certifications.state).toMatchObject({ running: null, verdict: { tier: "short" }, problem: noPython.message });
  expect(errors).toEqual([noPython]);
});

test("the end of the daemon waits for the certification that it cancels", async () => {
  const { certifications, begun, settled } = certificationsWith();
  certifications.start("whole");
  await settled();
  await certifications.close();
  expect(begun).toHaveLength(1);
  expect(certifications.state).toEqual({ running: null, verdict: null, problem: null });
});

test("a requirement is judged with changes while the last verdict and its report stay", async () => {
  const { certifications, begun, copies, settled } = certificationsWith();
  const changes = [{ name: "app/main.py", text: "new" }];
  const why = certifications.whyUnmet("LIFE-003", changes, signal);
  await settled();
  expect(copies).toEqual([changes]);
  expect(begun[0]?.copy).toEqual({ folder: "/copy", tier: "whole", only: ["LIFE-003"], out: "/reports/of-a-fix" });
  begun[0]?.end();
  expect(await why).toBe("It did not stop.");
  expect(certifications.state.verdict).toBe(null);
  const other = certifications.whyUnmet("UI-001", changes, signal);
  await settled();
  begun[1]?.end();
  expect(await other).toBe(null);
});

test("a requirement can be fixed that the last verdict says is not met, and there is a report after one", async () => {
  const { certifications, begun, settled } = certificationsWith();
  expect(() => certifications.unmet("LIFE-003")).toThrow("certify the app again");
  expect(() => certifications.reportFile).toThrow("before the first verdict");
  certifications.start("short");
  await settled();
  begun[0]?.end();
  await settled();
  expect(certifications.unmet("LIFE-003")).toEqual(UNMET);
  expect(() => certifications.unmet("UI-001")).toThrow("UI-001");
});
