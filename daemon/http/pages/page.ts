import { createHash } from "node:crypto";
import type { Response } from "express";
import { contentPolicy } from "../access/security-headers.ts";
import { STYLE } from "./style.ts";

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
