import { shellQuote } from "../../common/machine/own-command.ts";

const MARK = "# Made by robot-app-assistant ci: an app that fails its check is not pushed.";

/** Git's hook that checks the app before every push. */
export function prePushText(command: string, path: string): string {
  return `#!/bin/sh\n${MARK}\nexec ${command} check ${shellQuote(path)} >&2\n`;
}

/** Whether a hook was made by `prePushText`, so that it may be replaced. */
export const isOurHook = (text: string): boolean => text.includes(MARK);
