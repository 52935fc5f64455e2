import { expect } from "vitest";
import { idOf, judgedMutant, MUTANTS } from "./mutants.ts";

/** Holds a mutant to its word: its requirement fails and says why; nothing else does but what follows from it. */
export async function expectCaught(name: string): Promise<void> {
  const judged = await judgedMutant(name);
  const own = judged.find(({ requirement }) => requirement.id === idOf(name));
  const { status, findings, reason } = own?.judgement ?? {};
  expect({ status, reason }).toEqual({ status: own?.requirement.level === "MUST" ? "fail" : "warn", reason: null });
  expect(findings?.map(({ message }) => message).join("\n")).toContain(MUTANTS[name]?.says);
  const others = judged.filter(({ judgement }) => judgement.status !== "pass" && judgement.status !== "skip");
  const allowed = [idOf(name), ...(MUTANTS[name]?.also ?? [])];
  expect(others.map(({ judgement }) => judgement).filter(({ id }) => !allowed.includes(id))).toEqual([]);
}
