import { shellQuote } from "../../common/machine/own-command.ts";

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
