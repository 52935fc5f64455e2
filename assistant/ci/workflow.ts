import { shellQuote } from "../../common/machine/own-command.ts";

/** Facts of a repository for its workflow. */
interface WorkflowOptions {
  /** The action, `owner/repository@reference`; null to run the package. */
  action: string | null;
  version: string;
  /** The app's folder in the repository; "." for its root. */
  path: string;
}

const ATTESTS = `
  id-token: write # the verdict is attested
  attestations: write`;

/** A workflow for GitHub Actions that checks, tests and certifies an app on every push and pull request. */
export function workflowText({ action, version, path }: WorkflowOptions): string {
  return `# Checks, tests and certifies the robot app. Made by robot-app-assistant ci.
name: Robot app

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read${action === null ? "" : ATTESTS}

jobs:
  robot-app:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
${action === null ? packageSteps(version, shellQuote(path)) : actionStep(action, path)}`;
}

const actionStep = (action: string, path: string): string => `      - uses: ${action}
        with:
          path: ${JSON.stringify(path)}
`;

function packageSteps(version: string, path: string): string {
  const run = (command: string): string =>
    `      - run: ${JSON.stringify(`npx --yes --package robot-daemon@${version} robot-app-assistant ${command}`)}\n`;
  return `      - uses: actions/setup-node@v4
        with:
          node-version: "22"
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
${run(`check ${path} --format github`)}${run(`test ${path}`)}${run(`certify ${path} --annotations --out verdict`)}      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: verdict
          path: verdict
          if-no-files-found: ignore
`;
}
