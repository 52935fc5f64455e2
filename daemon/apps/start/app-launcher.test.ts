import { expect, test } from "vitest";
import type { AppInfo } from "../../../robot/wire/apps/app-status.ts";
import { wrongPortNote } from "./app-launcher.ts";

const app = (dialect?: string): { info: AppInfo } => ({
  info: { name: "a", source_kind: "installed", description: "", url: null, extra: { ...(dialect && { dialect }) } },
});

test("an app whose SDK knows one port is told when the daemon has another", () => {
  expect(wrongPortNote(app("reachy_mini"), "http://127.0.0.1:8001")).toMatch(/port 8000 only.*--port 8000/);
  expect(wrongPortNote(app("reachy_mini"), "http://127.0.0.1:8000")).toBeNull();
  expect(wrongPortNote(app("robot"), "http://127.0.0.1:8001")).toBeNull();
  expect(wrongPortNote(app(), "http://127.0.0.1:8001")).toBeNull();
  expect(wrongPortNote(app("reachy_mini"), undefined)).toBeNull();
});
