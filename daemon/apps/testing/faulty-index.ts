import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A package index that has a wheel of every package, but fails.
 * @param where what it fails to give: the page of a package, or the file that the page names
 * @param status of the answer
 */
export async function startFaultyIndex(where: "page" | "file", status: number) {
  const server = createServer(({ url = "" }, response) => {
    const [, name] = /^\/simple\/([^/]+)\/$/.exec(url) ?? [];
    if (where === "file" && name !== undefined) {
      const wheel = `${name.replaceAll("-", "_")}-9.0-py3-none-any.whl`;
      response.setHeader("content-type", "text/html");
      return response.end(`<!doctype html><a href="/files/${wheel}">${wheel}</a>`);
    }
    response.statusCode = status;
    return response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
