import { createHash } from "node:crypto";
import type { Response } from "express";
import { contentPolicy } from "../guard/headers.ts";
import { STYLE } from "./style.ts";

/** The style element is allowed by its digest, so that no other inline style is. */
const STYLE_DIGEST = `'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`;

/** Text as HTML text or attribute value. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign);

/** Our sentences with `code` and [links](page.md) in them (the little Markdown of docs/errors.md) as HTML. */
export const prose = (markdown: string): string =>
  escapeHtml(markdown)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");

/** Answers with a small page that needs no script. `body` is HTML. */
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
