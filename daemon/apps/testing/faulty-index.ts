import { serveHttp } from "../../../common/testing/http-server.ts";

/**
 * A package index that has a wheel of every package, but fails, until the test ends.
 * @param where what it fails to give: the page of a package, or the file that the page names
 * @param status of the answer
 * @returns its address
 */
export async function startFaultyIndex(where: "page" | "file", status: number): Promise<string> {
  const address = await serveHttp(({ url = "" }, response) => {
    const [, name] = /^\/simple\/([^/]+)\/$/.exec(url) ?? [];
    if (where === "file" && name !== undefined) {
      const wheel = `${name.replaceAll("-", "_")}-9.0-py3-none-any.whl`;
      response.setHeader("content-type", "text/html");
      return response.end(`<!doctype html><a href="/files/${wheel}">${wheel}</a>`);
    }
    response.statusCode = status;
    return response.end();
  });
  return `${address}/simple/`;
}
