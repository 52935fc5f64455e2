import { expect, test } from "vitest";
import { serveHttp } from "../../../common/testing/http-server.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { HubClient } from "../../../daemon/apps/hub/hub-client.ts";
import { exampleContext } from "../testing/example-context.ts";
import { certifyApp } from "./certify-app.ts";

test("a download that takes longer than the app's deadline is a failure", async () => {
  const folder = temporaryFolder("robot-certify-app-test-");
  const url = await serveHttp(() => {});
  const app = { name: "maker/app", source: `${url}/spaces/maker/app`, revision: "a".repeat(40) };
  const context = exampleContext(folder, { hub: new HubClient({ url, token: null }), deadline: 0.05 });
  expect(await certifyApp(app, context)).toEqual({
    kind: "failed",
    digest: null,
    failure: { kind: "fetch", message: "it was not downloaded within 0.05 s", output: "" },
  });
});
