import { isSeq, parseDocument } from "yaml";
import { shellQuote } from "../../common/machine/own-command.ts";
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

const MARK = "# Made by robot-app-assistant ci: an app that fails its check is not pushed.";

/**
 * The text of git's hook that checks an app before every push. Other lines of a hook of ours stay: those of other apps, and
 * what a person added.
 * @param before the text of the hook, null when there is none
 * @param command how robot-app-assistant is run
 * @param path the app's folder, from the root of the repository
 */
export function withPrePushCheck(before: string | null, command: string, path: string): string {
  const check = ` check ${shellQuote(path)} >&2 || exit 1`;
  const kept = before !== null && isOurHook(before) ? before.trimEnd().split("\n") : ["#!/bin/sh", MARK];
  const at = kept.findIndex((line) => line.endsWith(check));
  const lines = at < 0 ? [...kept, `${command}${check}`] : kept.with(at, `${command}${check}`);
  return `${lines.join("\n")}\n`;
}

/** Whether a hook was made by `withPrePushCheck`, so that a check can be added to it. */
export const isOurHook = (text: string): boolean => text.includes(MARK);
