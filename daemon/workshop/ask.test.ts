import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { serveHttp } from "../../common/testing/http-server.ts";
import { waitFor } from "../../common/time/wait-for.ts";
import { startChatServer } from "../../edit/testing/chat-server.ts";
import type { AppStatus } from "../../robot/wire/apps/app-status.ts";
import type { AskEvent } from "../../robot/wire/workshop/ask.ts";
import type { CertificationState } from "../../robot/wire/workshop/certification.ts";
import type { FailurePlace, WorkshopFinding, WriteResult } from "../../robot/wire/workshop/workshop.ts";
import { type EditedApp, MAIN, mainThatSays, startEditedApp } from "./testing/edited-app.ts";
import type { Certify } from "./workshop-certifications.ts";

/** What the model answers, one after the other; the last one again. */
const answers: string[] = [];
let edited: EditedApp;
/** Finds what an app violates that says "kept". */
const certify: Certify = async ({ folder, out }) => {
  await mkdir(out, { recursive: true });
  const isMet = !readFileSync(join(folder, MAIN), "utf8").includes('"kept"');
  const message = "It says kept.";
  const found = { id: "LIFE-003", level: "MUST" as const, title: "It stops", status: "fail" as const };
  const problems = { ...found, message, file: MAIN, line: null, replayable: true };
  if (isMet) return { verdict: "conformant", problems: [], passed: ["LIFE-003"], seconds: 1 };
  return { verdict: "not-conformant", problems: [problems], passed: [], seconds: 1 };
};
beforeEach(async () => {
  answers.length = 0;
  const { url } = await startChatServer(answers);
  edited = await startEditedApp({ ROBOT_MODEL_URL: url }, certify);
});
afterEach(() => edited.close());

/** An answer in search and replace. */
const replacing = (...pairs: [string, string][]): string =>
  `<|next_start|>${pairs.map(([search, replace]) => `\`\`\`python\n${search}\n<|search_and_replace|>\n${replace}\n\`\`\``).join("\n")}<|next_end|>\nDone.`;
const SAYS_NEW = replacing(['    print("kept", flush=True)', '    print("new", flush=True)']);

/** What happens when the model gives these answers. */
async function ask(body: object, answer: string): Promise<AskEvent[]> {
  answers.fill(answer).push(answer);
  const { status, text } = await edited.send("ask", { file: MAIN, files: [], ...body });
  expect(status).toBe(200);
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("an edit comes with its instruction and explanation; nothing is written", async () => {
  const events = await ask({ instruction: "Say new." }, SAYS_NEW);
  expect(events.map(({ kind }) => kind)).toEqual(["asking", "answer"]);
  expect(events.at(-1)).toMatchObject({
    file: MAIN,
    text: mainThatSays("new"),
    instruction: "Say new.",
    explanation: expect.stringContaining("Done."),
    proof: null,
  });
  expect(readFileSync(join(edited.folder, MAIN), "utf8")).toBe(mainThatSays("kept"));
});

test("the edit is made to the text as it is in the editor", async () => {
  const files = [{ name: MAIN, text: mainThatSays("typed") }];
  const answer = replacing(['    print("typed", flush=True)', '    print("new", flush=True)']);
  expect((await ask({ instruction: "Say new.", files }, answer)).at(-1)).toMatchObject({ text: mainThatSays("new") });
});

test("without an instruction there has to be a version before", async () => {
  await writeFile(join(edited.folder, MAIN), mainThatSays("never kept here"));
  expect((await ask({}, SAYS_NEW)).at(-1)).toMatchObject({ kind: "failed", code: "usage" });
  const files = [{ name: MAIN, text: mainThatSays("kept") }];
  expect((await ask({ files }, SAYS_NEW)).at(-1)).toMatchObject({ kind: "answer", text: mainThatSays("new") });
});

test("an answer that cannot be applied is asked for again, and then refused with the reason", async () => {
  const events = await ask({ instruction: "Say new." }, replacing(["not there", "x"]));
  expect(events.map(({ kind }) => kind)).toEqual(["asking", "refused", "failed"]);
  expect(events.at(-1)).toMatchObject({ code: "edit-refused" });
});

test("no model is a failure that says how to get one", async () => {
  const alone = await startEditedApp({ ROBOT_MODEL_URL: "http://127.0.0.1:9" });
  onTestFinished(() => alone.close());
  const { text } = await alone.send("ask", { file: MAIN, files: [], instruction: "Say new." });
  expect(JSON.parse(text)).toMatchObject({ kind: "failed", code: "model-unreachable" });
});

/** What only the terminal offers: options of the programs, and settings of requests. */
const OF_THE_TERMINAL = /(?<![\w-])--[a-z]|max_tokens|convention/;

test.each([
  ["that breaks the syntax", replacing(['    print("kept", flush=True)', "    print("])],
  ["that is not complete", SAYS_NEW.replace(/<\|next_end\|>[\s\S]*/, "")],
  ["whose place is not found", replacing(["not there", "x"])],
])("an answer %s is refused with what the page offers", async (_what, answer) => {
  const last = (await ask({ instruction: "Say new." }, answer)).at(-1);
  expect(last).toMatchObject({ kind: "failed", detail: expect.stringMatching(/ Ask (again|for)[^.]*\.$/) });
  expect(JSON.stringify(last)).not.toMatch(OF_THE_TERMINAL);
});

test.each([
  ["the robot daemon", () => edited.daemon.url, "ROBOT_MODEL_URL"],
  ["nothing", () => "http://127.0.0.1:9", "ROBOT_MODEL_URL"],
  ["a server without models", () => listing([]), "ROBOT_MODEL"],
])("where %s answers in place of a model, no option of the terminal is named", async (_what, url, setting) => {
  const alone = await startEditedApp({ ROBOT_MODEL_URL: await url() });
  onTestFinished(() => alone.close());
  const { text } = await alone.send("ask", { file: MAIN, files: [], instruction: "Say new." });
  const { detail } = JSON.parse(text.trim().split("\n").at(-1) ?? "");
  // The lines after the first are commands for a terminal.
  const [said = ""] = detail.split("\n");
  expect(said).toContain(setting);
  expect(said).not.toMatch(OF_THE_TERMINAL);
});

/** The address of a server that lists these models. */
const listing = (models: readonly string[]): Promise<string> =>
  serveHttp((_request, response) => void response.end(JSON.stringify({ data: models.map((id) => ({ id })) })));

test.each(["../outside.py", ".env", "conftest.py"])("the file %s is not edited", async (file) => {
  expect((await ask({ file, instruction: "Write." }, SAYS_NEW)).at(-1)).toMatchObject({ code: "edit-refused" });
});

const BROKEN = mainThatSays("kept").replace("while not stop_event.wait(0.01):", "while not stop_event.wait(0.01:");

test("a fix of a finding is shown when the finding is gone, and not when it stays", async () => {
  const files = [{ name: MAIN, text: BROKEN }];
  const { findings } = await edited.json<{ findings: WorkshopFinding[] }>("check", { files });
  const fix = findings.find(({ file, line }) => file === MAIN && line === 9);
  const events = await ask(
    { files, fix },
    replacing(["    while not stop_event.wait(0.01:", "    while not stop_event.wait(0.01):"]),
  );
  expect(events.map(({ kind }) => kind)).toEqual(["asking", "trying", "answer"]);
  expect(events.at(-1)).toMatchObject({ text: mainThatSays("kept"), proof: expect.stringContaining("is gone") });
  const useless = await ask({ files, fix }, replacing(['    print("kept", flush=True)', '    print("kept")']));
  expect(useless.at(-1)).toMatchObject({ kind: "failed", detail: expect.stringContaining("does not end") });
});

test("a fix of a failure is run before it is shown", async () => {
  const failing = mainThatSays("kept").replace('    print("kept", flush=True)', "    print(1 / 0)");
  const files = [{ name: MAIN, text: failing }];
  const fails = async () => {
    await edited.json("try", { files });
    await waitFor(60_000, "the failure", async () => {
      const { state } = await edited.daemon.json<AppStatus>("/api/apps/current-app-status");
      return state === "error";
    });
  };
  await fails();
  const { place } = await edited.json<{ place: FailurePlace | null }>("failure");
  expect(place).toEqual({ file: MAIN, line: failing.split("\n").indexOf("    print(1 / 0)") + 1 });
  const answer = replacing(["    print(1 / 0)", '    print("kept", flush=True)']);
  const events = await ask({ files, fix: "failure" }, answer);
  expect(events.map(({ kind }) => kind)).toEqual(["asking", "trying", "answer"]);
  expect(events.at(-1)).toMatchObject({ text: mainThatSays("kept"), proof: expect.stringContaining("3 s") });
  await fails();
  const useless = await ask({ files, fix: "failure" }, replacing(["    print(1 / 0)", "    print(2 / 0)"]));
  expect(useless.at(-1)).toMatchObject({ kind: "failed", detail: expect.stringContaining("ZeroDivisionError") });
  expect((await edited.json<WriteResult>("undo", { edit: null })).contents?.undoable).toBe(null);
});

test("a failure without a traceback leads nowhere, also after one that had one", async () => {
  for (const ends of ["print(1 / 0)", "raise SystemExit(3)"]) {
    const text = mainThatSays("kept").replace('print("kept", flush=True)', ends);
    await edited.json("try", { files: [{ name: MAIN, text }] });
    await waitFor(60_000, "the failure", async () => {
      const { state } = await edited.daemon.json<AppStatus>("/api/apps/current-app-status");
      return state === "error";
    });
    const { place } = await edited.json<{ place: FailurePlace | null }>("failure");
    expect(place === null).toBe(ends.startsWith("raise"));
  }
  expect((await ask({ fix: "failure" }, SAYS_NEW)).at(-1)).toMatchObject({ kind: "failed", code: "bad-request" });
});

test("a fix of a requirement is judged before it is shown", async () => {
  const fix = { requirement: "LIFE-003" };
  const early = await ask({ fix }, SAYS_NEW);
  expect(early).toMatchObject([{ kind: "failed", code: "bad-request", detail: expect.stringContaining("LIFE-003") }]);
  await edited.json("certify", { tier: "whole" });
  await waitFor(60_000, "the verdict", async () => {
    return (await edited.json<CertificationState>("certification")).verdict !== null;
  });
  const events = await ask({ fix }, SAYS_NEW);
  expect(events.map(({ kind }) => kind)).toEqual(["asking", "trying", "answer"]);
  expect(events.at(-1)).toMatchObject({
    text: mainThatSays("new"),
    instruction: expect.stringContaining("It stops (LIFE-003)"),
    proof: "LIFE-003 was judged with the edit, and is met.",
  });
  const useless = await ask({ fix }, replacing(["stop_event = threading.Event()", "stop_event = threading.Event() #"]));
  expect(useless.at(-1)).toMatchObject({ kind: "failed", detail: expect.stringContaining("It says kept.") });
  const harmful = await ask({ fix }, replacing(['    print("kept", flush=True)', "    print("]));
  expect(harmful.at(-1)).toMatchObject({ kind: "failed", code: "edit-refused" });
});
