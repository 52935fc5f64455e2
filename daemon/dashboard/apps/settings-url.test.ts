import { expect, test } from "vitest";
import type { AppInfo } from "../../../robot/wire/apps/app-status.ts";
import { settingsUrl } from "./settings-url.ts";

const app = (custom_app_url?: unknown) => ({
  name: "hello_robot",
  source_kind: "installed" as const,
  description: "",
  url: null,
  extra: { custom_app_url } as AppInfo["extra"],
});
const page = { hostname: "robot.local" };

test("the settings page is on the host of this page, at the app's port and path", () => {
  expect(settingsUrl(app("http://0.0.0.0:8042"), page)).toBe("http://robot.local:8042/?app=hello_robot");
  expect(settingsUrl(app("http://localhost:8042/ui?a=1"), page)).toBe("http://robot.local:8042/ui?a=1&app=hello_robot");
});

test.each([undefined, null, 8042, "not an address", "javascript:alert(1)"])("%s is no settings page", (announced) => {
  expect(settingsUrl(app(announced), page)).toBeUndefined();
});
