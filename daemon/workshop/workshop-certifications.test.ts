import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import type { CertificationState } from "../../robot/wire/workshop/certification.ts";
import { type Certify, WorkshopCertifications } from "./workshop-certifications.ts";

const UNMET = {
  id: "LIFE-003",
  level: "MUST" as const,
  title: "It stops",
  status: "fail" as const,
  message: "It did not stop.",
  file: "app/main.py",
  line: 3,
  replayable: true,
};
const JUDGED = { verdict: "not-conformant" as const, problems: [UNMET], seconds: 12 };
const PASSED = ["UI-002"];
const REVISION = "first";

/** WorkshopCertifications whose ends a test decides, in the order in which they began. */
function certificationsWith({ isPhysical = false } = {}) {
  const begun: { copy: Parameters<Certify>[0]; report: Parameters<Certify>[1]; end(error?: Error): void }[] = [];
  const copies: unknown[] = [];
  let pending = 0;
  const errors: unknown[] = [];
  const certify: Certify = (copy, report, signal) =>
    new Promise((resolve, reject) => {
      mkdirSync(copy.out, { recursive: true });
      pending += 1;
      let isPending = true;
      const ended = (): void => {
        if (isPending) pending -= 1;
        isPending = false;
      };
      const end = (error?: Error): void => {
        ended();
        if (error) reject(error);
        else resolve({ ...JUDGED, passed: PASSED });
      };
      begun.push({ copy, report, end });
      signal.addEventListener("abort", () => {
        ended();
        reject(signal.reason);
      });
    });
  const copyToCertify = async (changes: unknown) => {
    copies.push(changes);
    return { folder: "/copy", revision: REVISION };
  };
  const folder = temporaryFolder("certifications-");
  const certifications = new WorkshopCertifications({
    workshop: { copyToCertify },
    certify,
    isPhysical: () => isPhysical,
    folder,
    onError: (error) => void errors.push(error),
  });

  const states: CertificationState[] = [];
  certifications.changes.on((state) => void states.push(state));
  /** A certification has begun and waits for its end, or none runs. */
  const settled = () => waitFor(60_000, "a certification", () => pending > 0 || certifications.state.running === null);
  /** So many have begun. */
  const begins = (count: number) => waitFor(60_000, `${count} certifications`, () => begun.length === count);
  return { certifications, begun, copies, states, errors, folder, settled, begins };
}
const signal = new AbortController().signal;

test("a certification reports its steps and ends with a verdict about the text as it was then", async () => {
  const { certifications, begun, states, folder, settled } = certificationsWith();
  certifications.start("short");
  await settled();
  expect(begun[0]?.copy).toEqual({
    folder: "/copy",
    tier: "short",
    seed: expect.any(Number),
    out: join(folder, "next"),
  });
  begun[0]?.report({ done: 2, planned: 9, violated: ["LIFE-003"] });
  begun[0]?.end();
  await settled();
  expect(states.map(({ running }) => running?.done ?? null)).toEqual([0, 2, null]);
  expect(certifications.state).toEqual({
    running: null,
    verdict: { ...JUDGED, tier: "short", revision: REVISION },
    problem: null,
  });
  expect(certifications.reportFile).toBe(join(folder, "of-the-app/report.html"));
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
  expect(certifications.state.running).toMatchObject({ tier: "whole", cancelling: true });
  await waitFor(60_000, "its end", () => certifications.state.running === null);
  expect(certifications.state).toMatchObject({ verdict: { tier: "short" }, problem: null });
  certifications.start("whole");
  await settled();
  const noPython = new WorkbenchError("python-missing", "Python 3.10 is missing.");
  begun[2]?.end(noPython);
  await settled();
  expect(certifications.state).toMatchObject({ running: null, verdict: { tier: "short" }, problem: noPython.message });
  expect(errors).toEqual([noPython]);
});

test("one that is started while another is being cancelled runs after it, and is not taken for cancelled", async () => {
  const { certifications, begun, settled, states } = certificationsWith();
  certifications.start("whole");
  await settled();
  certifications.cancel();
  certifications.start("short");
  await settled();
  begun[1]?.end();
  await settled();
  expect(states.map(({ running }) => running && `${running.tier} ${running.cancelling}`)).toEqual([
    "whole false",
    "whole true",
    "short false",
    null,
  ]);
});

test("the end of the daemon waits for the certification that it cancels", async () => {
  const { certifications, begun, settled } = certificationsWith();
  certifications.start("whole");
  await settled();
  await certifications.close();
  expect(begun).toHaveLength(1);
  expect(certifications.state).toEqual({ running: null, verdict: null, problem: null });
});

test("a requirement is judged with changes as the last verdict was made, which stays with its report", async () => {
  const { certifications, begun, copies, folder, settled, begins } = certificationsWith();
  certifications.start("short");
  await settled();
  begun[0]?.end();
  await settled();
  const { verdict } = certifications.state;
  const changes = [{ name: "app/main.py", text: "new" }];
  const answers = [];
  for (const id of ["LIFE-003", "UI-002", "UI-001"]) {
    const why = certifications.whyNotMet(id, changes, signal);
    await begins(2 + answers.length);
    expect(begun.at(-1)?.copy).toEqual({ ...begun[0]?.copy, out: join(folder, "of-a-fix") });
    begun.at(-1)?.end();
    answers.push(await why);
  }
  expect(copies.slice(1)).toEqual([changes, changes, changes]);
  expect(answers).toEqual(["It did not stop.", null, expect.stringContaining("does not concern the app any more")]);
  expect(certifications.state.verdict).toBe(verdict);
});

test("a certification without a verdict leaves the report of the last one", async () => {
  const { certifications, begun, folder, settled } = certificationsWith();
  for (const error of [undefined, new Error("no disk")]) {
    certifications.start("short");
    await settled();
    writeFileSync(join(folder, "next/report.html"), String(error));
    begun.at(-1)?.end(error);
    await settled();
  }
  expect(readFileSync(certifications.reportFile, "utf8")).toBe("undefined");
});

test("nothing is certified after the end of the daemon", async () => {
  const { certifications, begun } = certificationsWith();
  await certifications.close();
  certifications.start("short");
  await certifications.close();
  expect([begun.length, certifications.state.running]).toEqual([0, null]);
});

test("a requirement can be fixed that the last verdict says is not met, and there is a report after one", async () => {
  const { certifications, begun, settled } = certificationsWith();
  expect(() => certifications.problemWith("LIFE-003")).toThrow("certify the app again");
  expect(() => certifications.reportFile).toThrow("before the first verdict");
  certifications.start("short");
  await settled();
  begun[0]?.end();
  await settled();
  expect(certifications.problemWith("LIFE-003")).toEqual(UNMET);
  expect(() => certifications.problemWith("UI-001")).toThrow("UI-001");
});

test("no app is certified beside a physical robot", async () => {
  const { certifications, begun, settled } = certificationsWith({ isPhysical: true });
  certifications.start("short");
  await settled();
  expect(certifications.state).toMatchObject({
    running: null,
    verdict: null,
    problem: expect.stringContaining("physical"),
  });
  await expect(certifications.whyNotMet("LIFE-003", [], signal)).rejects.toThrow("physical");
  expect(begun).toEqual([]);
});
