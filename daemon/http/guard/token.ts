import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

const COOKIE = "robot_token";
const A_YEAR_S = 31_536_000;

/** The token of the Authorization header or of the cookie that the sign-in link left; empty without one. */
export function tokenOf({ headers }: IncomingMessage): string {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  return bearer ?? new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(headers.cookie ?? "")?.[1] ?? "";
}

/** Compares in a time that tells neither the contents nor the length of the expected secret. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The Set-Cookie value that keeps the token out of scripts and of other sites' requests. */
export const tokenCookie = (token: string): string =>
  `${COOKIE}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${A_YEAR_S}`;
