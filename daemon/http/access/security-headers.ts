import type { ServerResponse } from "node:http";

/**
 * A page may load files of this daemon only; `blob:` and `data:` are textures and icons. Styles that a script sets on an
 * element do not count as inline styles.
 */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/** Returns the Content-Security-Policy of a page. @param style `'sha256-...'` of the page's inline style element */
export const contentPolicy = (style?: string): string =>
  [...POLICY, ...(style ? [`style-src 'self' ${style}`] : [])].join("; ");

const HEADERS = [
  ["content-security-policy", contentPolicy()],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["referrer-policy", "no-referrer"],
  ["cross-origin-resource-policy", "same-origin"],
] as const;

/** Sets the headers that every response carries. */
export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
}
