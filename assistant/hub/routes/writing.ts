import express, { Router } from "express";
import { z } from "zod";
import { accountOf, writerOf } from "../accounts.ts";
import { addressOf, type Shelf, writableSpaceOf } from "../call.ts";
import { Refusal } from "../refusal.ts";
import { BRANCH, commitAt } from "../repository.ts";

const File = z.object({
  path: z.string(),
  content: z.string(),
  encoding: z.enum(["utf-8", "base64"]).default("utf-8"),
});

const Creation = z.object({
  type: z.literal("space"),
  name: z.string(),
  organization: z.string().nullish(),
  sdk: z.string().default("static"),
  visibility: z.enum(["public", "private"]).optional(),
  private: z.boolean().optional(),
  files: z.array(File).optional(),
});
const Deletion = z.object({ name: z.string(), organization: z.string().nullish() });
const Preupload = z.object({ files: z.array(z.object({ path: z.string() })) });

/** The lines of a commit's body, one JSON object each. */
const CommitLine = z.discriminatedUnion("key", [
  z.object({
    key: z.literal("header"),
    value: z.object({ summary: z.string(), description: z.string().optional(), parentCommit: z.string().optional() }),
  }),
  z.object({ key: z.literal("file"), value: File }),
  z.object({ key: z.literal("deletedFile"), value: z.object({ path: z.string() }) }),
]);

const LONGEST_BODY = "64mb";

/** Who is who, making and deleting spaces, and commits without git. */
export function writingRoutes(shelf: Shelf): Router {
  const { spaces, accounts } = shelf;
  const router = Router();
  router.use(
    "/api",
    express.json({ limit: LONGEST_BODY }),
    express.text({ type: "application/x-ndjson", limit: LONGEST_BODY }),
  );

  router.get("/api/whoami-v2", (request, response) => {
    const account = accountOf(request, accounts);
    if (account === null) throw new Refusal(401, "Invalid username or password.");
    const { user, role } = account;
    const accessToken = { displayName: "local", role, createdAt: "2024-01-01T00:00:00.000Z" };
    response.json({
      type: "user",
      id: user,
      name: user,
      fullname: user,
      orgs: [],
      auth: { type: "access_token", accessToken },
    });
  });

  router.post("/api/repos/create", async (request, response) => {
    const wish = Creation.parse(request.body);
    const account = accountOf(request, accounts);
    const owner = wish.organization ?? account?.user ?? "";
    writerOf(account, owner);
    const space = await spaces.create({
      owner,
      name: wish.name,
      sdk: wish.sdk,
      private: wish.visibility === "private" || wish.private === true,
      ...(wish.files ? { files: new Map(wish.files.map((file) => [file.path, bytesOf(file)])) } : {}),
    });
    response.json({ id: space.id, name: space.id, url: `${addressOf(request)}/spaces/${space.id}` });
  });

  router.delete("/api/repos/delete", async (request, response) => {
    const wish = Deletion.parse(request.body);
    const account = accountOf(request, accounts);
    const { user } = writerOf(account, wish.organization ?? account?.user ?? "");
    const space = await spaces.find(user, wish.name);
    if (space === null) throw new Refusal(404, "Repository not found", "RepoNotFound");
    await spaces.delete(space);
    response.end();
  });

  router.post("/api/spaces/:owner/:name/preupload/:revision", async (request, response) => {
    await writableSpaceOf(request, shelf);
    // Everything goes into the commit itself: this hub stores no large files.
    response.json({ files: Preupload.parse(request.body).files.map(({ path }) => ({ path, uploadMode: "regular" })) });
  });

  router.post("/api/spaces/:owner/:name/commit/:revision", async (request, response) => {
    const { space, account } = await writableSpaceOf(request, shelf);
    if (request.params.revision !== BRANCH) throw new Refusal(400, `This hub takes commits on ${BRANCH} only`);
    const lines = String(request.body)
      .split("\n")
      .filter((line) => line.trim() !== "");
    const parts = lines.map((line) => CommitLine.parse(JSON.parse(line)));
    const header = parts.find((part) => part.key === "header")?.value;
    if (header === undefined) throw new Refusal(400, "The commit has no header line");
    const { summary, description = "", parentCommit } = header;
    if (parentCommit !== undefined && parentCommit !== (await commitAt(space.repository, BRANCH))) {
      throw new Refusal(412, "A commit has happened since. Please refresh and try again.");
    }
    const changes = new Map<string, Uint8Array | null>();
    for (const part of parts) {
      if (part.key === "file") changes.set(part.value.path, bytesOf(part.value));
      if (part.key === "deletedFile") changes.set(part.value.path, null);
    }
    const message = description === "" ? summary : `${summary}\n\n${description}`;
    const commitOid = await spaces.commit(space, account.user, message, changes);
    const commitUrl = `${addressOf(request)}/spaces/${space.id}/commit/${commitOid}`;
    response.json({ success: true, commitOid, commitUrl, hookOutput: "" });
  });

  return router;
}

function bytesOf({ content, encoding }: z.infer<typeof File>): Uint8Array {
  return Buffer.from(content, encoding === "base64" ? "base64" : "utf8");
}
