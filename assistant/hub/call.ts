import type { Request } from "express";
import { type Account, type Accounts, accountOf, writerOf } from "./accounts.ts";
import { Refusal } from "./refusal.ts";
import type { Space, Spaces } from "./spaces.ts";

/** What the routes stand on. */
export interface Shelf {
  spaces: Spaces;
  accounts: Accounts;
  /** Longest page of a list, whatever is asked for. */
  pageSize: number;
}

/**
 * The space that a request names, for somebody who may read it. As on the public hub, who shows no token hears 401 of
 * what is private and of what is not there alike.
 * @throws Refusal 401, 404
 */
export async function spaceOf(request: Request, { spaces, accounts }: Shelf) {
  const account = accountOf(request, accounts);
  const space = await spaces.find(String(request.params.owner), String(request.params.name).replace(/\.git$/, ""));
  if (space !== null && mayRead(account, space)) return { account, space };
  if (account === null) throw new Refusal(401, "Invalid username or password.", "RepoNotFound");
  throw new Refusal(404, "Repository not found", "RepoNotFound");
}

/** The same for somebody who may write to it. @throws Refusal 401, 403, 404 */
export async function writableSpaceOf(request: Request, shelf: Shelf): Promise<{ account: Account; space: Space }> {
  const { account, space } = await spaceOf(request, shelf);
  return { account: writerOf(account, space.owner), space };
}

export function mayRead(account: Account | null, space: Space): boolean {
  return !space.private || account?.user === space.owner;
}

/** The path in a wildcard route. */
export function pathIn(request: Request): string {
  const { path } = request.params;
  return Array.isArray(path) ? path.join("/") : String(path ?? "");
}

/** Address of the hub as the caller sees it, without a slash at the end. */
export function addressOf(request: Request): string {
  return `${request.protocol}://${request.get("host")}`;
}
