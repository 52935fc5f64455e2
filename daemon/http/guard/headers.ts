import type { ServerResponse } from "node:http";

/**
 * What a page of ours may load: its own files only. Styles that scripts set on elements are no inline styles, and
 * `blob:` and `data:` are textures and icons.
 */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/** Content-Security-Policy of the pages; `style` is the `'sha256-...'` of a style element that a page brings along. */
export const contentPolicy = (style?: string): string =>
  [...POLICY, ...(style ? [`style-src 'self' ${style}`] : [])].join("; ");

const HEADERS = [
  ["content-security-policy", contentPolicy()],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["referrer-policy", "no-referrer"],
  ["cross-origin-resource-policy", "same-origin"],
] as const;

/** Sets what every answer carries. */
export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
}
