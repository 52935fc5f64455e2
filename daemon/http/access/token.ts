import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

const COOKIE = "robot_token";
const ONE_YEAR_S = 31_536_000;

/** Reads the token from the Authorization header or from the sign-in cookie; empty when there is none. */
export function readToken({ headers }: IncomingMessage): string {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  return bearer ?? new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(headers.cookie ?? "")?.[1] ?? "";
}

/** Compares in a time that reveals neither contents nor length of the expected secret. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Returns a Set-Cookie value that scripts cannot read and that other sites' requests do not carry. */
export const tokenCookie = (token: string): string =>
  `${COOKIE}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${ONE_YEAR_S}`;
