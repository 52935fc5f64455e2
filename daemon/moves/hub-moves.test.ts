import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { serveHttp } from "../../common/testing/http-server.ts";
import { temporaryFolder } from "../../common/testing/temporary-folder.ts";
import { HubClient } from "../apps/hub/hub-client.ts";
import { HubMoves } from "./hub-moves.ts";
import { MoveLibrary } from "./move-library.ts";

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const MOVE = JSON.stringify({
  time: [0, 1],
  set_target_data: [0, 0.4].map((body_yaw) => ({ head: IDENTITY, antennas: [0, 0], body_yaw })),
});
const FILES: Record<string, string> = {
  "hop.json": MOVE,
  "data/skip.json": MOVE,
  "README.md": "# Moves",
  "hop.wav": "",
};

let folder: string;
let asked: string[];
let broken: string | null;
let library: MoveLibrary;

/** Answers as the hub does for one data set: https://huggingface.co/docs/hub/api */
function answer(address: string): [number, string] {
  asked.push(address);
  const [pathname = ""] = address.split("?", 1);
  if (pathname === broken) return [500, ""];
  if (pathname === "/api/datasets/somebody/moves/revision/HEAD") {
    return [200, JSON.stringify({ _id: "1", id: "somebody/moves", sha: "abc", lastModified: "2026-01-01T00:00:00Z" })];
  }
  if (pathname === "/api/datasets/somebody/moves/tree/abc") {
    const entries = Object.entries(FILES).map(([name, text]) => ({
      type: "file",
      path: name,
      size: text.length,
      oid: "1",
    }));
    return [200, JSON.stringify(entries)];
  }
  const file = /^\/datasets\/somebody\/moves\/resolve\/abc\/(.+)$/.exec(pathname)?.[1];
  const text = file === undefined ? undefined : FILES[file];
  return text === undefined ? [404, '{"error": "not found"}'] : [200, text];
}

beforeEach(async () => {
  folder = temporaryFolder("hub-moves-");
  asked = [];
  broken = null;
  const url = await serveHttp((request, response) => {
    const [status, text] = answer(request.url ?? "");
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  });
  const hub = new HubMoves(new HubClient({ url, token: null }), new AbortController().signal);
  library = new MoveLibrary({ folder, hub, sitePackages: async () => [path.join(folder, "site-packages")] });
});

test("a data set of the hub is fetched once, its moves only, and played from the disk from then on", async () => {
  const [names, same] = await Promise.all([library.list("somebody/moves"), library.list("somebody/moves")]);
  expect(names).toEqual(["hop", "skip"]);
  expect(same).toEqual(names);
  expect(asked.filter((address) => address.includes("/resolve/"))).toHaveLength(2);
  expect((await library.frames("somebody/moves", "skip")).at(-1)).toMatchObject({ t: 1, bodyYaw: 0.4 });
  const before = asked.length;
  expect(await library.list("somebody/moves")).toEqual(names);
  expect(asked).toHaveLength(before);
});

test("a download that breaks off leaves nothing, and the next one begins anew", async () => {
  broken = "/datasets/somebody/moves/resolve/abc/data/skip.json";
  await expect(library.list("somebody/moves")).rejects.toMatchObject({ code: "hub-unreachable" });
  expect(await readdir(path.join(folder, "somebody"))).toEqual([]);
  broken = null;
  expect(await library.list("somebody/moves")).toEqual(["hop", "skip"]);
});

test("a data set that the hub does not have is no move; an installed package of moves is found by its name", async () => {
  await expect(library.list("nobody/nothing")).rejects.toMatchObject({ code: "move-not-found" });
  await expect(library.list("dance-moves")).rejects.toMatchObject({ code: "move-not-found" });
  const installed = path.join(folder, "site-packages/dance_moves/data");
  await mkdir(installed, { recursive: true });
  await writeFile(path.join(installed, "turn.json"), MOVE);
  expect(await library.list("dance-moves")).toEqual(["turn"]);
});
