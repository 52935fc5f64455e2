import { type Request, type Response, Router } from "express";
import { pathIn, type Shelf, spaceOf } from "../call.ts";
import { Refusal } from "../refusal.ts";
import { commitAt, fileAt, historyOf, treeOf } from "../repository.ts";

/** Trees, files and history of a space. */
export function fileRoutes(shelf: Shelf): Router {
  const router = Router();

  router.get("/api/spaces/:owner/:name/tree/:revision{/*path}", async (request, response) => {
    const { space } = await spaceOf(request, shelf);
    const entries = await treeOf(space.repository, await commitAt(space.repository, String(request.params.revision)));
    const folder = pathIn(request) === "" ? "" : `${pathIn(request)}/`;
    const inside = entries.filter(({ path }) => path.startsWith(folder));
    if (folder !== "" && inside.length === 0) throw new Refusal(404, `${folder} does not exist`, "EntryNotFound");
    const deep = request.query.recursive === "true" || request.query.recursive === "1";
    response.json(inside.filter(({ path }) => deep || !path.slice(folder.length).includes("/")));
  });

  router.get("/api/spaces/:owner/:name/commits/:revision", async (request, response) => {
    const { space } = await spaceOf(request, shelf);
    const commit = await commitAt(space.repository, String(request.params.revision));
    const history = await historyOf(space.repository, commit);
    response.json(history.map(({ author, ...each }) => ({ ...each, authors: [{ user: author, avatar: "" }] })));
  });

  for (const kind of ["resolve", "raw"]) {
    router.get(`/spaces/:owner/:name/${kind}/:revision/*path`, async (request, response) => {
      const { space } = await spaceOf(request, shelf);
      const commit = await commitAt(space.repository, String(request.params.revision));
      const { oid, content } = await fileAt(space.repository, commit, pathIn(request));
      response.set({ "x-repo-commit": commit, etag: `"${oid}"`, "accept-ranges": "bytes" });
      response.type("application/octet-stream");
      sendPart(request, response, content);
    });
  }

  router.get("/spaces/:owner/:name", async (request, response) => {
    const { space } = await spaceOf(request, shelf);
    const { content } = await fileAt(space.repository, await commitAt(space.repository, "HEAD"), "README.md");
    response.type("text/plain").send(content);
  });

  return router;
}

/** Sends the one range of bytes that is asked for, or everything (RFC 9110, section 14). */
function sendPart(request: Request, response: Response, content: Buffer): void {
  const ranges = request.range(content.length);
  if (ranges === -1) {
    response.status(416).set("content-range", `bytes */${content.length}`).end();
    return;
  }
  const [range] = Array.isArray(ranges) ? ranges : [];
  if (range === undefined) {
    response.send(content);
    return;
  }
  response.status(206).set("content-range", `bytes ${range.start}-${range.end}/${content.length}`);
  response.send(content.subarray(range.start, range.end + 1));
}
