import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

const COOKIE = "robot_token";
const ONE_YEAR_S = 31_536_000;

/**
 * Whether a request carries the token, in the Authorization header or in a sign-in cookie. A page of another port of this
 * machine can add a cookie of that name: one that is right is enough.
 */
export function carriesToken({ headers }: IncomingMessage, token: string): boolean {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (bearer !== undefined) return isSameSecret(bearer, token);
  const cookies = (headers.cookie ?? "").matchAll(new RegExp(`(?:^|; )${COOKIE}=([^;]+)`, "g"));
  return [...cookies].some(([, given = ""]) => isSameSecret(given, token));
}

/** Compares in a time that reveals neither contents nor length of the expected secret. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Returns a Set-Cookie value that scripts cannot read and that other sites' requests do not carry. */
export const tokenCookie = (token: string): string =>
  `${COOKIE}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${ONE_YEAR_S}`;
