import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import type { CertificationState } from "../../robot/wire/workshop/certification.ts";
import type { Client } from "../connection/client.ts";
import { CertificationModel } from "./certification-model.ts";
import { EditedFiles } from "./edited-files.ts";

const VERDICT = { tier: "short" as const, verdict: "conformant" as const, problems: [], seconds: 1 };
const STATE: CertificationState = {
  running: null,
  verdict: { ...VERDICT, revision: "first" },
  problem: null,
};

function modelWith(answer: CertificationState | Error) {
  const asked: [string, unknown][] = [];
  const reported: unknown[] = [];
  const request = async (path: string, body?: unknown) => {
    asked.push([path, body]);
    if (answer instanceof Error) throw answer;
    return answer as never;
  };
  const client: Client = { get: request, post: request, put: request, delete: request };
  const files = new EditedFiles();
  files.receive([{ name: "a.py", text: "a", hash: "1" }], "a.py");
  const revision = signal("first");
  const model = new CertificationModel({ client, files, revision, report: (error) => reported.push(error) });
  return { model, files, revision, asked, reported };
}

test("a verdict is stale as soon as the text differs, and is not when the text is as before", async () => {
  const { model, files } = modelWith(STATE);
  expect(model.isStale.value).toBe(false);
  await model.load();
  expect(model.isStale.value).toBe(false);
  files.setText("a.py", "changed");
  expect(model.isStale.value).toBe(true);
  files.setText("a.py", "a");
  expect(model.isStale.value).toBe(false);
});

test("a verdict is stale when the folder has another revision", () => {
  const { model, revision } = modelWith(STATE);
  model.receive(STATE);
  revision.value = "second";
  expect(model.isStale.value).toBe(true);
});

test("an answer that arrives after a newer state does not replace it", async () => {
  const { model } = modelWith({
    ...STATE,
    verdict: null,
    running: { tier: "short", done: 0, planned: 1, violated: [], cancelling: false },
  });
  const started = model.start("short");
  model.receive(STATE);
  await started;
  expect(model.state.value).toBe(STATE);
});

test("a certification is started and cancelled; a refusal is reported and leaves the verdict", async () => {
  const { model, asked } = modelWith(STATE);
  await model.start("whole");
  await model.cancel();
  expect(asked).toEqual([
    ["/api/workshop/certify", { tier: "whole" }],
    ["/api/workshop/certify/cancel", undefined],
  ]);
  expect(model.state.value).toBe(STATE);
  const refused = modelWith(new Error("no"));
  refused.model.receive(STATE);
  await refused.model.start("short");
  expect([refused.reported, refused.model.state.value]).toEqual([[new Error("no")], STATE]);
});
