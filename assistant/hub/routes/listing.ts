import { Router } from "express";
import { z } from "zod";
import { accountOf } from "../accounts.ts";
import { addressOf, mayRead, type Shelf, spaceOf } from "../call.ts";
import { tagsOf } from "../card.ts";
import { commitAt, treeOf } from "../repository.ts";
import type { Head, Space } from "../spaces.ts";

const many = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((given) => [given].flat());

const Search = z.object({
  filter: many,
  author: z.string().optional(),
  search: z.string().optional(),
  limit: z.coerce.number().int().min(1).default(1000),
  /** The id after which the page begins. */
  cursor: z.string().optional(),
});

/** Which spaces there are, page by page, and what is known of one. */
export function listingRoutes(shelf: Shelf): Router {
  const { spaces, accounts, pageSize } = shelf;
  const router = Router();

  router.get("/api/spaces", async (request, response) => {
    const { filter, author, search, limit, cursor } = Search.parse(request.query);
    const account = accountOf(request, accounts);
    const page: object[] = [];
    let last: Space | null = null;
    for (const space of await spaces.list()) {
      if (!mayRead(account, space) || (cursor !== undefined && space.id <= cursor)) continue;
      if (author !== undefined && space.owner !== author) continue;
      if (search !== undefined && !space.id.toLowerCase().includes(search.toLowerCase())) continue;
      const info = infoOf(space, await spaces.headOf(space));
      if (!filter.every((tag) => info.tags.includes(tag))) continue;
      if (page.length === Math.min(limit, pageSize)) {
        const next = new URL(request.originalUrl, addressOf(request));
        next.searchParams.set("cursor", last?.id ?? "");
        response.set("link", `<${next}>; rel="next"`);
        break;
      }
      page.push(info);
      last = space;
    }
    response.json(page);
  });

  router.get(["/api/spaces/:owner/:name", "/api/spaces/:owner/:name/revision/:revision"], async (request, response) => {
    const { space } = await spaceOf(request, shelf);
    const sha = await commitAt(space.repository, String(request.params.revision ?? "HEAD"));
    const files = (await treeOf(space.repository, sha)).filter(({ type }) => type === "file");
    const siblings = files.map(({ path }) => ({ rfilename: path }));
    response.json({ ...infoOf(space, await spaces.headOf(space)), sha, siblings });
  });

  return router;
}

function infoOf(space: Space, { sha, lastModified, card }: Head) {
  return {
    _id: space.id,
    id: space.id,
    author: space.owner,
    sha,
    lastModified,
    createdAt: space.createdAt,
    private: space.private,
    disabled: false,
    gated: false,
    likes: 0,
    sdk: space.sdk,
    // The public hub, too, gives each space its kind and place among its tags.
    tags: [space.sdk, ...tagsOf(card), "region:us"],
    cardData: card,
  };
}
