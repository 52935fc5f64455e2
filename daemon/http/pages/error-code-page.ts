import { ERRORS, type ErrorCode, WorkbenchError } from "../../../robot/wire/errors.ts";
import { escapeHtml, markdownToHtml } from "./page.ts";

interface ErrorInfo {
  code: ErrorCode;
  status: number;
  title: string;
  /** Meaning and remedy, Markdown. */
  explanation: string;
}

/** Splits docs/errors.md into its sections `## code`; returns their texts by code. */
export function parseExplanations(markdown: string): Map<string, string> {
  const sections = markdown.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [code = "", ...lines] = section.split("\n");
      return [code.trim(), lines.join("\n").trim()];
    }),
  );
}

/**
 * Returns what is known about an error code.
 * @throws WorkbenchError `route-not-found` for an unknown code
 */
export function errorInfo(code: string, explanations: ReadonlyMap<string, string>): ErrorInfo {
  if (!Object.hasOwn(ERRORS, code))
    throw new WorkbenchError("route-not-found", `There is no error code ${code}; docs/errors.md lists all codes.`);
  const knownCode = code as ErrorCode;
  return { code: knownCode, ...ERRORS[knownCode], explanation: explanations.get(code) ?? "" };
}

/** Returns the page of an error code as HTML. */
export const errorCodePage = ({ code, title, explanation }: ErrorInfo): string =>
  `<p><code>${code}</code></p><h1>${escapeHtml(title)}</h1><p>${markdownToHtml(explanation)}</p><p><a href="/docs">API reference</a></p>`;
