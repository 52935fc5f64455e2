import { type Request, type Response, Router } from "express";
import { type Shelf, spaceOf, writableSpaceOf } from "../call.ts";
import { answerGit } from "../git-over-http.ts";
import { Refusal } from "../refusal.ts";

/** Clone, fetch and push, at the address of a space with or without `.git`. */
export function gitRoutes(shelf: Shelf, searchPath: string): Router {
  const router = Router();

  const answer = async (request: Request, response: Response, pushes: boolean, what: string) => {
    const { space, account } = await permitted(request, response, pushes, shelf);
    await answerGit(request, response, {
      root: shelf.spaces.folder,
      path: `/${space.id}.git/${what}`,
      query: new URLSearchParams(request.query as Record<string, string>).toString(),
      user: pushes ? (account?.user ?? null) : null,
      searchPath,
    });
  };
  router.get("/spaces/:owner/:name/info/refs", (request, response) =>
    answer(request, response, request.query.service === "git-receive-pack", "info/refs"),
  );
  for (const service of ["git-upload-pack", "git-receive-pack"]) {
    router.post(`/spaces/:owner/:name/${service}`, (request, response) =>
      answer(request, response, service === "git-receive-pack", service),
    );
  }
  return router;
}

async function permitted(request: Request, response: Response, pushes: boolean, shelf: Shelf) {
  try {
    return await (pushes ? writableSpaceOf(request, shelf) : spaceOf(request, shelf));
  } catch (error) {
    // Git asks its user only when it is told how.
    if (error instanceof Refusal && error.status === 401) response.set("www-authenticate", 'Basic realm="local hub"');
    throw error;
  }
}
