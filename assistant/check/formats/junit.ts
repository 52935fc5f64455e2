import type { Format } from "./format.ts";
import { junitFile, linesOfFindings } from "./junit-file.ts";

const KINDS = { pass: "passed", fail: "failure", warn: "output", skip: "skipped", error: "error" } as const;

/** A JUnit file: one test case for each requirement, its id first in the name. A warning is a passed case with output. */
export const formatJunit: Format = ({ app, results }, { prefix }) =>
  junitFile(
    "robot-app-assistant check",
    app,
    results.map(({ id, level, section, title, status, findings, reason }) => ({
      kind: KINDS[status],
      classname: `${level}.${section}`,
      name: `${id} ${title}`,
      message: findings[0]?.message ?? reason ?? "",
      lines: [...linesOfFindings(findings, prefix), ...(reason === null ? [] : [reason])],
    })),
  );
