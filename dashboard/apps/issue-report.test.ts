import { expect, test } from "vitest";
import { issueReport } from "./issue-report.ts";

const lines = [
  { from: "stderr", text: "\u001b[31mValueError: no\u001b[0m" },
  { from: "stdout", text: "```" },
  { from: "daemon", text: "exited with code 1" },
] as const;

test("an issue has name, version, cause, last lines and the daemon's version", () => {
  const result = "exited with code 1";
  const text = issueReport({
    app: "my_app",
    version: "1.2",
    daemonVersion: "0.1.0",
    result,
    cause: "ValueError: no",
    lines,
  });
  expect(text).toBe(`**my_app 1.2**: exited with code 1

ValueError: no

\`\`\`\`
ValueError: no
\`\`\`
[daemon] exited with code 1
\`\`\`\`

robot-daemon 0.1.0
`);
});

test("what is not known is left out", () => {
  const unknown = { version: null, daemonVersion: null, result: null, cause: null };
  expect(issueReport({ app: "my_app", ...unknown, lines: [] })).toBe(
    "**my_app**\n\n```\n\n```\n\nrobot-daemon of an unknown version\n",
  );
});
