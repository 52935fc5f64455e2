import { expect, test } from "vitest";
import { InstallView, nextSteps } from "./install-view.ts";

test("an install shows its stages, and the last lines of the tools only when it failed", () => {
  let shown = "";
  const view = new InstallView((text) => {
    shown += text;
  });
  view.onStage("fetch");
  for (let i = 0; i < 100; i += 1) view.onProgress(`Collecting package-${i}`);
  view.onStage("install");
  expect(shown).toBe(
    "     fetch   copy or download the app's files\n     install install the package and its dependencies\n",
  );
  view.showLastLines();
  expect(shown.match(/\| Collecting/g)).toHaveLength(30);
  expect(shown).toMatch(/package-99\n$/);
});

const app = { name: "wave", source_kind: "installed", description: "", url: null, extra: { version: "1.2" } } as const;

test("the next steps fit a running daemon, no daemon, and another data folder", () => {
  const env = { HOME: "/home/ada" };
  const command = "npx robot-daemon";
  const defaultDir = "/home/ada/.local/share/robot-daemon";
  expect(nextSteps({ app, url: "http://127.0.0.1:8123", dataDir: defaultDir, env, command })).toContain(
    "robot-daemon start wave\n              or on the dashboard, http://127.0.0.1:8123/\n",
  );
  const without = nextSteps({ app, url: null, dataDir: defaultDir, env, command });
  expect(without).toContain("wave 1.2 is installed.");
  expect(without).toContain("npx robot-daemon --sim --startup-app wave\n");
  expect(nextSteps({ app, url: null, dataDir: "/d", env, command })).toContain("--startup-app wave --data-dir /d\n");
});
