import { escapeControls } from "./escape-controls.ts";

/** Text of an app in one line, so that it is shown as it is: no Markdown, no HTML, no new cell of a table. */
export const escapeMarkdown = (text: string): string =>
  escapeControls(text)
    .replaceAll("\n", " ")
    .replace(/[<>&]/g, (character) => ({ "<": "&lt;", ">": "&gt;", "&": "&amp;" })[character] ?? character)
    .replace(/[|`*_[\]\\]/g, "\\$&");
