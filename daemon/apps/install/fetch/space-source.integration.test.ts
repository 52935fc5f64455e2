import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { serveHttp } from "../../../../common/testing/http-server.ts";
import { temporaryFolder } from "../../../../common/testing/temporary-folder.ts";
import type { Hub } from "../../../../fixtures/hub/server/hub.ts";
import { localHub } from "../../../../fixtures/hub/server/testing/local-hub.ts";
import { HubClient } from "../../hub/hub-client.ts";
import type { JobRun } from "../jobs/jobs.ts";
import { spaceSource } from "./space-source.ts";

let folder: string;
let into: string;
let hub: Hub;
let lines: string[];
let percents: number[];
let abort: AbortController;
beforeEach(async () => {
  folder = temporaryFolder("space-");
  into = path.join(folder, "app");
  [lines, percents, abort] = [[], [], new AbortController()];
  hub = await localHub(folder);
});

const fetchFrom = (url: string, id: string, token: string | null = null) => {
  const run: JobRun = {
    signal: abort.signal,
    enter: () => {},
    log(line, percent = 0) {
      lines.push(line);
      percents.push(percent);
    },
  };
  return spaceSource(new HubClient({ url, token }), id).fetch(into, run);
};

test("a space is downloaded at its newest commit, file by file, with progress", async () => {
  const origin = await fetchFrom(hub.url, "maker/look_around");
  expect(origin).toEqual({
    kind: "hf_space",
    from: `${hub.url}/spaces/maker/look_around`,
    revision: expect.stringMatching(/^\w{40}$/),
  });
  const seeded = "fixtures/hub/spaces/maker/look_around";
  const main = "look_around/main.py";
  expect(await readFile(path.join(into, main), "utf8")).toBe(await readFile(path.join(seeded, main), "utf8"));
  expect((await readdir(into)).sort()).toEqual((await readdir(seeded)).sort());
  expect(await readFile(path.join(into, "look_around/__init__.py"), "utf8")).toBe("");
  expect(lines[0]).toMatch(/^maker\/look_around at \w{7}: 6 files, \d+ bytes$/);
  expect(percents).toEqual([...percents].sort((one, other) => one - other));
  expect(percents.at(-1)).toBe(15);
});

test("a private space needs a token that may read it", async () => {
  const id = "maker/secret_wave";
  const next = { code: "space-not-found", message: expect.stringContaining("it is private: set HF_TOKEN") };
  await expect(fetchFrom(hub.url, id)).rejects.toMatchObject(next);
  await expect(fetchFrom(hub.url, id, "hf_local_other")).rejects.toMatchObject({ code: "space-not-found" });
  await expect(fetchFrom(hub.url, id, "hf_wrong")).rejects.not.toThrow("hf_wrong");
  expect(await fetchFrom(hub.url, id, "hf_local_read")).toMatchObject({ kind: "hf_space" });
});

describe("is refused with a reason:", () => {
  test("an address without a space", async () => {
    await expect(fetchFrom(hub.url, "maker/nothing")).rejects.toMatchObject({ code: "space-not-found" });
    await expect(fetchFrom(hub.url, "maker/nothing", "hf_local_read")).rejects.toMatchObject({
      code: "space-not-found",
      message: `There is no maker/nothing at ${hub.url}, or it is not for this HF_TOKEN.`,
    });
  });

  test("a space without the tag", async () => {
    await expect(fetchFrom(hub.url, "tinkerer/not_tagged")).rejects.toMatchObject({
      code: "app-invalid",
      message: expect.stringContaining("must list robot_python_app or"),
    });
  });

  test("a hub that does not answer", async () => {
    await hub.close();
    await expect(fetchFrom(hub.url, "maker/look_around")).rejects.toMatchObject({
      code: "hub-unreachable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });
});

/** A hub whose one space has one file, of such a name and size. */
function hubWith(file: { path: string; size: number }, content: (response: ServerResponse) => void): Promise<string> {
  const sha = "a".repeat(40);
  return serveHttp((request: IncomingMessage, response) => {
    const asked = request.url ?? "";
    if (asked.includes("/tree/")) response.end(JSON.stringify([{ type: "file", oid: "x", ...file }]));
    else if (asked.includes("/resolve/")) content(response);
    else
      response.end(
        JSON.stringify({ id: "maker/app", sha, tags: ["robot_python_app"], lastModified: "2026-01-01T00:00:00.000Z" }),
      );
  });
}

describe("a faulty hub:", () => {
  test.each(["../outside.py", "a/../../outside.py", "/outside.py"])("a file at %s", async (name) => {
    const url = await hubWith({ path: name, size: 1 }, (response) => response.end("x"));
    await expect(fetchFrom(url, "maker/app")).rejects.toMatchObject({ code: "app-invalid" });
    expect((await readdir(folder)).sort()).toEqual(["hub"]);
  });

  test("offers more than an app may have", async () => {
    const url = await hubWith({ path: "huge.bin", size: 3e12 }, (response) => response.end("x"));
    await expect(fetchFrom(url, "maker/app")).rejects.toMatchObject({
      code: "app-invalid",
      message: expect.stringContaining("maker/app has 3000000 MB"),
    });
  });

  test("a download that is cut off", async () => {
    const url = await hubWith({ path: "half.py", size: 10 }, (response) => {
      response.setHeader("content-length", 10).write("half");
      setImmediate(() => response.destroy());
    });
    await expect(fetchFrom(url, "maker/app")).rejects.toMatchObject({ code: "hub-unreachable" });
  });

  test("a download that never ends can be cancelled", async () => {
    const url = await hubWith({ path: "slow.py", size: 10 }, () => abort.abort(new Error("enough")));
    await expect(fetchFrom(url, "maker/app")).rejects.toThrow("enough");
  });
});
