/** Facts of a repository for its workflow. */
interface WorkflowOptions {
  /** The action: `owner/repository@reference`. */
  action: string;
  /** The app's folder in the repository; "." for its root. */
  path: string;
}

/** A workflow for GitHub Actions that checks and certifies an app on every push and pull request. */
export function workflowText({ action, path }: WorkflowOptions): string {
  return `# Checks and certifies the robot app. Made by robot-app-assistant ci.
name: Robot app

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read
  id-token: write # the verdict is attested
  attestations: write

jobs:
  robot-app:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
      - uses: ${action}
        with:
          path: ${JSON.stringify(path)}
`;
}
