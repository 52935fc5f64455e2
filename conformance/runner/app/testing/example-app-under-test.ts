import type { AppUnderTest } from "../app-under-test.ts";

/** An app without a page, for tests that do not look into its folder. */
export const EXAMPLE_APP: AppUnderTest = {
  name: "my_app",
  module: "my_app.main",
  className: "MyApp",
  folder: "/apps/my_app",
  sourceRoot: "",
  page: null,
  announcedUrl: null,
  staticFolder: null,
};
