import { isSeq, parseDocument } from "yaml";
import { WorkbenchError } from "../../robot/wire/errors.ts";

export const HOOK_ID = "robot-app-check";

/**
 * The text of a `.pre-commit-config.yaml` (https://pre-commit.com) with the hook that checks the app; comments and other
 * hooks stay. The same text when the hook is there already.
 * @param text the file, null when there is none
 * @param command how robot-app-assistant is run
 * @throws WorkbenchError `bad-request` when the text is no such file
 */
export function withCheckHook(text: string | null, command: string, path: string): string {
  const document = parseDocument(text ?? "repos: []\n");
  const repos: unknown = document.get("repos");
  if (document.errors.length > 0 || !isSeq(repos)) {
    throw new WorkbenchError("bad-request", ".pre-commit-config.yaml has no list of repos: fix it first.");
  }
  const configured = document.toJS() as { repos: { hooks?: { id?: unknown; args?: unknown }[] }[] };
  const checks = configured.repos.flatMap(({ hooks = [] }) => hooks).filter(({ id }) => id === HOOK_ID);
  if (checks.some(({ args }) => Array.isArray(args) && args.includes(path))) return text ?? "";
  repos.flow = false;
  repos.add(
    document.createNode({
      repo: "local",
      hooks: [
        {
          id: HOOK_ID,
          name: "check the robot app",
          entry: `${command} check`,
          args: [path],
          language: "system",
          pass_filenames: false,
        },
      ],
    }),
  );
  return document.toString();
}
