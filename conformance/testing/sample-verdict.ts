import type { Status } from "../../assistant/check/check-app.ts";
import type { Judgement, Verdict } from "../verdict/verdict.ts";

/** A verdict with these requirements and statuses and nothing else of interest. */
export function sampleVerdict(statuses: Readonly<Record<string, Status>>): Verdict {
  const results = Object.entries(statuses).map(([id, status]): Judgement => {
    const level = status === "warn" ? "SHOULD" : "MUST";
    const findings = status === "fail" || status === "warn" ? [{ message: "wrong", file: "a.py", line: 1 }] : [];
    const reason = status === "skip" || status === "error" ? "a reason" : null;
    const judged = { scenes: [], measured: [], waiver: null };
    return { id, level, section: "3", title: `Title of ${id}`, status, findings, reason, ...judged };
  });
  const count = (status: Status) => results.filter((each) => each.status === status).length;
  const counts = {
    pass: count("pass"),
    fail: count("fail"),
    warn: count("warn"),
    skip: count("skip"),
    error: count("error"),
  };
  return {
    format: "robot-app-verdict",
    version: "0.0.0",
    digest: "sha256:00",
    only: null,
    seed: 1,
    startedAt: "2030-01-01T00:00:00.000Z",
    duration: 1,
    verdict: counts.fail > 0 ? "not-conformant" : counts.error > 0 ? "error" : "conformant",
    app: "my_app",
    folder: "/apps/my_app",
    counts,
    results,
    scenes: [],
    staleWaivers: [],
  };
}
