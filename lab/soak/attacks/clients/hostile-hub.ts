// A hub whose answers are endless, huge after decompression, or too many.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Attack } from "../../attack.ts";
import { reportWatch, watchDaemon } from "../../attack-tools.ts";

/** 3 MB that become 2 GB: members of gzip can be joined. */
const BOMB = Buffer.concat(Array.from({ length: 1000 }, () => gzipSync(Buffer.alloc(2_000_000, 0x20))));
const SPACE = { private: false, likes: 1, lastModified: "2026-01-01T00:00:00.000Z", sha: "a".repeat(40) };
const MANY = JSON.stringify(
  Array.from({ length: 160_000 }, (_, at) => ({ ...SPACE, id: `ada/app${at}`, tags: ["robot_python_app"] })),
);

const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  "2 GB in 3 MB of gzip": (response) =>
    void response.writeHead(200, { "content-encoding": "gzip", "content-type": "application/json" }).end(BOMB),
  "160,000 spaces": (response) => void response.end(MANY),
  "no JSON": (response) => void response.end("<html>"),
  "JSON without an end": (response) => {
    response.write("[");
    const write = () => {
      while (!response.closed && response.write(" ".repeat(65_536)));
    };
    response.on("drain", write);
    write();
  },
};

let answer = ANSWERS["no JSON"];
const server = createServer((_, response) => answer?.(response)).listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;

export default {
  title: "a hostile hub",
  dataFolder: "own",
  options: ["--hub-url", `http://127.0.0.1:${port}`],
  async run({ daemon, row }) {
    const stopWatching = await watchDaemon(daemon);
    for (const [what, given] of Object.entries(ANSWERS)) {
      answer = given;
      const { apps, offline } = await daemon.get("/api/apps/catalogue?refresh=true");
      const isTold = apps.length === 0 && offline !== null;
      row(what, `${apps.length} apps, ${offline}`.slice(0, 33), "0 apps, and why", isTold);
    }
    reportWatch(row, await stopWatching(), 150);
    server.closeAllConnections();
    server.close();
  },
} satisfies Attack;
