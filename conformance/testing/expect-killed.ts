import { expect } from "vitest";
import { judgeMutant, problemWithMutant } from "./mutants.ts";

/** Expects that a mutant fails its own requirement, with the text it names, and no other one. */
export async function expectKilled(name: string): Promise<void> {
  expect(problemWithMutant(name, await judgeMutant(name))).toBeNull();
}
