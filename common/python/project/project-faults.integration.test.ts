import fc from "fast-check";
import { expect, test } from "vitest";
import {
  askBackends,
  firstFault,
  type KnownBackend,
  projectFiles,
  randomProject,
  verdicts,
} from "./testing/projects.ts";

const BACKENDS: readonly KnownBackend[] = ["setuptools", "hatchling"];
/** Builds of random projects: each takes part of a second. */
const RUNS = 60;

test("setuptools and hatchling say what the table says", async () => {
  const jobs = verdicts.flatMap((row) =>
    BACKENDS.map((backend) => ({ row, backend, files: projectFiles(row.project, backend, row.also) })),
  );
  const answers = await askBackends(jobs);
  for (const [at, { row, backend }] of jobs.entries()) {
    const said = row[backend];
    if (said === null) expect(answers[at], `${backend}: ${row.project}`).toBeNull();
    else expect(answers[at]?.replaceAll(/\s+/g, " "), `${backend}: ${row.project}`).toContain(said);
  }
});

test("what they refuse of random projects is refused, and nothing else", async () => {
  const seed = fc.readConfigureGlobal()?.seed ?? Date.now();
  const jobs = fc
    .sample(randomProject, { numRuns: RUNS, seed })
    .flatMap(({ project, also }) =>
      BACKENDS.map((backend) => ({ backend, files: projectFiles(project, backend, also) })),
    );
  const answers = await askBackends(jobs);
  const differing = jobs.flatMap(({ backend, files }, at) => {
    const ours = firstFault(files) ?? null;
    return (ours === null) === (answers[at] === null)
      ? []
      : [{ backend, files: Object.keys(files), project: files["pyproject.toml"], ours, theirs: answers[at] }];
  });
  expect(differing, `seed ${seed}`).toEqual([]);
});
