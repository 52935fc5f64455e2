import { createHash } from "node:crypto";
import type { Response } from "express";
import { contentPolicy } from "../access/security-headers.ts";

/** Style sheet of the pages without scripts; light or dark as the system is. */
const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#25211c, #eceef2); --soft: light-dark(#6a6258, #a4acba);
  --bg: light-dark(#f1ece4, #0f1116); --panel: light-dark(#fffdf9, #181b22); --line: light-dark(#e6ddd1, #2b303b);
  --accent: light-dark(#b53a1a, #ff8160); --mono: ui-monospace, Menlo, Consolas, monospace; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
a { color: var(--accent); }
h2 { margin: 2.5rem 0 .5rem; text-transform: capitalize; }
code, pre { font-family: var(--mono); font-size: .875em; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--bg); }
details { margin: .4rem 0; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); }
summary { padding: .6rem .9rem; cursor: pointer; overflow-wrap: anywhere; }
summary:focus-visible, a:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
details > div { padding: 0 .9rem .9rem; border-top: 1px solid var(--line); }
h3 { margin: 1rem 0 .25rem; font-size: .875rem; color: var(--soft); }
summary span { color: var(--soft); margin-left: .75rem; }
b.method { display: inline-block; min-width: 4rem; color: var(--accent); font-family: var(--mono); }
ul { margin: 0; padding-left: 1.2rem; }
input, button { font: inherit; padding: .4rem .7rem; border: 1px solid var(--line); border-radius: 8px; }
`;

/** Allows the page's own style element by its digest, and no other inline style. */
const STYLE_DIGEST = `'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`;

/** Escapes text for an HTML text node or attribute value. */
export const escapeHtml = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[character] ?? character,
  );

/** Converts the Markdown of docs/errors.md (text, `code`, [links](page.md)) to HTML. */
export const markdownToHtml = (markdown: string): string =>
  escapeHtml(markdown)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");

/** Sends a small page without scripts. @param body HTML */
export function sendPage(response: Response, title: string, body: string, status = 200): void {
  response
    .status(status)
    .type("html")
    .setHeader("content-security-policy", contentPolicy(STYLE_DIGEST))
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<link rel="icon" href="data:,"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>\n`,
    );
}
