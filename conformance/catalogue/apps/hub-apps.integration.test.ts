import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { HubClient } from "../../../daemon/apps/hub/hub-client.ts";
import { localHub } from "../../../fixtures/hub/server/testing/local-hub.ts";
import { fetchApp, listApps } from "./catalogue-apps.ts";

const { signal } = new AbortController();

async function newFolder(): Promise<string> {
  const folder = temporaryFolder("robot-hub-apps-test-");
  return folder;
}

test.each([
  [
    "hub:",
    [
      "maker/look_around",
      "maker/nod-along",
      "tinkerer/no_entry_point",
      "tinkerer/sdk_impostor",
      "tinkerer/wants_the_future",
    ],
  ],
  ["hub:LOOK maker", ["maker/look_around"]],
])("%s lists the spaces of a hub with its words, each at a commit", async (query, names) => {
  const { url } = await localHub(await newFolder(), { pageSize: 2 });
  const apps = await listApps(query, "/", new HubClient({ url, token: null }), signal);
  expect(apps.map(({ name }) => name)).toEqual(names);
  for (const { source, revision, name } of apps)
    expect([source, revision]).toEqual([`${url}/spaces/${name}`, expect.stringMatching(/^\w{40}$/)]);
});

test("a space is downloaded, and has the same digest each time", async () => {
  const { url } = await localHub(await newFolder());
  const hub = new HubClient({ url, token: null });
  const [app] = await listApps("hub:look", "/", hub, signal);
  const fetched = await Promise.all(
    [await newFolder(), await newFolder()].map((scratch) =>
      fetchApp(app as NonNullable<typeof app>, hub, scratch, signal),
    ),
  );
  expect(existsSync(join(fetched[0]?.folder ?? "", "pyproject.toml"))).toBe(true);
  expect(fetched[0]?.digest).toBe(fetched[1]?.digest);
});
