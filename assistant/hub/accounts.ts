import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";

/** Who a token belongs to, and what may be done with it. */
export interface Account {
  user: string;
  role: "read" | "write";
}

/** By token. Tokens begin with `hf_`: the hub's client library refuses others. */
export type Accounts = Readonly<Record<string, Account>>;

/** For everybody who starts a hub of their own: it listens on loopback only, so these are no secrets. */
export const LOCAL_ACCOUNTS: Accounts = {
  hf_local_write: { user: "maker", role: "write" },
  hf_local_read: { user: "maker", role: "read" },
};

/**
 * The account of a request: a bearer token, or the password of basic authentication as git sends it; null without.
 * @throws Refusal 401 when the token is unknown
 */
export function accountOf(request: IncomingMessage, accounts: Accounts): Account | null {
  const token = tokenIn(request.headers.authorization);
  if (token === null) return null;
  const account = Object.hasOwn(accounts, token) ? accounts[token] : undefined;
  if (account === undefined) throw new Refusal(401, "Invalid credentials in Authorization header");
  return account;
}

/** The account that may write to the spaces of a user. @throws Refusal 401, 403 */
export function writerOf(account: Account | null, owner: string): Account {
  if (account === null) throw new Refusal(401, "This needs a token");
  if (account.role !== "write") throw new Refusal(403, "This needs a token with Write permission");
  if (account.user !== owner) throw new Refusal(403, `${account.user} has no right to write to the spaces of ${owner}`);
  return account;
}

function tokenIn(header: string | undefined): string | null {
  const [, scheme = "", value = ""] = /^(bearer|basic)\s+(.+)$/i.exec(header ?? "") ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme === "") return null;
  const [, password = ""] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, "base64").toString("utf8")) ?? [];
  return password;
}
