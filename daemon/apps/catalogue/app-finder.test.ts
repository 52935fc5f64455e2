import { expect, test } from "vitest";
import { AppFinder } from "./app-finder.ts";
import type { InstalledApp } from "./installed-app.ts";

const app = { info: { name: "wave" } } as InstalledApp;
const catalogue = {
  find: async () => null,
  cached: async () => [],
  read: async () => ({ hub: "the hub", apps: [], age_s: 0, offline: null }),
};

test("an app whose files are being replaced is found after the change", async () => {
  let files: InstalledApp[] = [];
  const update = async () => {
    files = [app];
  };
  const finder = new AppFinder({ list: async () => files }, catalogue, update);
  expect(await finder.findInstalled("wave")).toBe(app);
});

test("an app whose files are being replaced is installed, and has no address to be installed from", async () => {
  let files: InstalledApp[] = [];
  const update = async () => {
    files = [app];
  };
  const finder = new AppFinder({ list: async () => files }, catalogue, update);
  expect(await finder.addressOf("wave")).toBeNull();
});

test("an app that is installed is found without waiting for a change", async () => {
  const neverEnds = () => new Promise<void>(() => {});
  const finder = new AppFinder({ list: async () => [app] }, catalogue, neverEnds);
  expect(await finder.findInstalled("wave")).toBe(app);
  expect(await finder.addressOf("wave")).toBeNull();
});

test("an app that is not there after a change either is refused with the names that may have been meant", async () => {
  const finder = new AppFinder({ list: async () => [app] }, catalogue);
  await expect(finder.findInstalled("wav")).rejects.toMatchObject({
    code: "app-not-found",
    message: expect.stringContaining("wave"),
  });
});
