import { expect, test } from "vitest";
import type { AppInfo } from "../../robot/wire/apps/app-status.ts";
import { settingsPage } from "./settings-page.ts";

const app = (custom_app_url?: unknown) => ({
  name: "hello_robot",
  source_kind: "installed" as const,
  description: "",
  url: null,
  extra: { custom_app_url } as AppInfo["extra"],
});

test("the settings page is below the daemon's address, at the app's path", () => {
  expect(settingsPage(app("http://0.0.0.0:8042"))).toBe("./apps/hello_robot/page/");
  expect(settingsPage(app("http://localhost:8042/ui?a=1"))).toBe("./apps/hello_robot/page/ui?a=1");
});

test.each([undefined, null, 8042, "not an address", "javascript:alert(1)"])("%s is no settings page", (announced) => {
  expect(settingsPage(app(announced))).toBeUndefined();
});
