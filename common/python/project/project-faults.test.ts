import { describe, expect, test } from "vitest";
import { firstFault, projectFiles, verdicts } from "./testing/projects.ts";

describe.each(["setuptools", "hatchling"] as const)("%s", (backend) => {
  test.each(verdicts)("$project", ({ project, also, ...says }) => {
    const fault = firstFault(projectFiles(project, backend, also));
    if (says[backend] === null) expect(fault).toBeUndefined();
    // The value or that it is missing, who refuses it and why, and what is right.
    else expect(fault).toMatch(/^[\w.[\]-]+ is .+; (setuptools|hatchling) refuses it: .+ .+\.$/s);
  });
});
