import { ERRORS, type ErrorCode, WorkbenchError } from "../../../robot/wire/errors.ts";
import { escapeHtml, prose } from "./page.ts";

export interface ErrorFacts {
  code: ErrorCode;
  status: number;
  title: string;
  /** What it means and what to do, Markdown. */
  explanation: string;
}

/** The sections `## code` of docs/errors.md, by code. */
export function explanations(markdown: string): Map<string, string> {
  const sections = markdown.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [code = "", ...lines] = section.split("\n");
      return [code.trim(), lines.join("\n").trim()];
    }),
  );
}

/** All there is to say about an error code. Throws `route-not-found` for a text that is none. */
export function errorFacts(code: string, explained: ReadonlyMap<string, string>): ErrorFacts {
  if (!Object.hasOwn(ERRORS, code))
    throw new WorkbenchError("route-not-found", `There is no error code ${code}; docs/errors.md lists them all.`);
  const known = code as ErrorCode;
  return { code: known, ...ERRORS[known], explanation: explained.get(code) ?? "" };
}

/** The page of an error code. Returns HTML. */
export const errorPage = ({ code, title, explanation }: ErrorFacts): string =>
  `<p><code>${code}</code></p><h1>${escapeHtml(title)}</h1><p>${prose(explanation)}</p><p><a href="/docs">The interface</a></p>`;
