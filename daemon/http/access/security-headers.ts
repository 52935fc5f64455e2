import type { ServerResponse } from "node:http";
import { parseHost } from "./host-names.ts";

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
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["referrer-policy", "no-referrer"],
  ["cross-origin-resource-policy", "same-origin"],
] as const;

/** Sets the headers that every response carries. @param host the request's Host header */
export function setSecurityHeaders(response: ServerResponse, host = ""): void {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  response.setHeader("content-security-policy", `${contentPolicy()}; frame-src ${settingsPages(host)}`);
}

/** The pages of apps have the daemon's host and ports of their own. A policy cannot name an IPv6 address. */
const settingsPages = (host: string): string => {
  const name = parseHost(host);
  return name === null ? "'self'" : `'self' ${/^[\w.-]+$/.test(name) ? `http://${name}:*` : "http:"}`;
};
