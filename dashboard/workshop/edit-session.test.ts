import { expect, test } from "vitest";
import type { KeepBody } from "../../robot/wire/workshop/workshop.ts";
import { type Client, RequestError } from "../connection/client.ts";
import { EditSession } from "./edit-session.ts";

const CONTENTS = {
  app: "app",
  folder: "/app",
  main: "app/main.py",
  files: [{ name: "app/main.py", text: "old", hash: "h" }],
  undoable: { time: "t", instruction: "", files: ["app/main.py"] },
  physical: false,
  interrupted: [],
};

/** What a keep or an undo answers. */
const resultWith = (contents: object | null, problem: object | null = null) => ({
  ...{ edit: "t", written: ["app/main.py"], contents },
  run: { state: problem === null ? "unchanged" : "failed", problem },
});

/** A session with a daemon that answers with these. */
async function sessionWith(answers: Record<string, unknown | Error>, contents: object = {}) {
  const asked: [string, unknown][] = [];
  const questions: { text: string; run(): unknown }[] = [];
  const reported: unknown[] = [];
  const answer = async (path: string, body?: unknown) => {
    asked.push([path.replace("/api/workshop/", ""), body]);
    const action = path.replace("/api/workshop/", "");
    const files = { ...CONTENTS, ...contents, findings: [] };
    const found = answers[action] ?? (["keep", "undo"].includes(action) ? resultWith(files) : files);
    if (found instanceof Error) throw found;
    return found as never;
  };
  const client: Client = { get: answer, post: answer, put: answer, delete: answer };
  let refused = 0;
  const session = new EditSession({
    client,
    stream: async () => {},
    confirm: (question) => questions.push(question),
    report: (error) => reported.push(error),
    info: () => {},
    onSecretRefused: () => {
      refused += 1;
    },
  });
  await session.load();
  asked.length = 0;
  return { session, asked, questions, reported, refusals: () => refused, answers };
}

test("the main file is shown first, and a change of its text is checked", async () => {
  const { session, asked } = await sessionWith({});
  expect(session.current.value).toBe("app/main.py");
  session.setText("app/main.py", "new");
  await Promise.resolve();
  expect(asked).toContainEqual(["check", { files: [{ name: "app/main.py", text: "new" }] }]);
});

test("undo takes back what is not kept first, and then the last edit", async () => {
  const { session, asked } = await sessionWith({});
  session.setText("app/main.py", "new");
  await session.undo();
  expect(session.files.get("app/main.py")?.text).toBe("old");
  await session.undo();
  expect(asked.filter(([path]) => path === "undo").map(([, body]) => body)).toEqual([{ edit: null }, { edit: "t" }]);
});

test("what is typed while an undo is under way stays", async () => {
  const { session } = await sessionWith({});
  session.setText("app/main.py", "new");
  const undone = session.undo();
  expect(session.files.get("app/main.py")?.text).toBe("old");
  session.setText("app/main.py", "newer");
  await undone;
  expect(session.files.get("app/main.py")?.text).toBe("newer");
});

test("a second undo while the first is under way counts once the text has changed, not before", async () => {
  const files = (text: string, time: string) => ({
    ...CONTENTS,
    files: [{ name: "app/main.py", text, hash: `hash of ${text}` }],
    undoable: { ...CONTENTS.undoable, time },
    findings: [],
  });
  const { session, asked, answers } = await sessionWith({ undo: resultWith(files("older", "before")) });
  const undone = [session.undo(), session.undo()];
  answers.files = files("older", "before"); // the daemon says that files were written before it answers the undo
  await session.load();
  expect(session.files.get("app/main.py")?.text).toBe("older");
  await Promise.all([...undone, session.undo()]);
  expect(asked.filter(([path]) => path === "undo").map(([, body]) => body)).toEqual([
    { edit: "t" },
    { edit: "before" },
  ]);
});

test("what is typed during an undo is taken back by a second one", async () => {
  const { session } = await sessionWith({});
  session.setText("app/main.py", "new");
  const undone = session.undo();
  session.setText("app/main.py", "newer");
  await Promise.all([undone, session.undo()]);
  expect(session.files.get("app/main.py")?.text).toBe("old");
});

test("an undo that has not begun is not repeated, whatever has changed since", async () => {
  const { session, asked } = await sessionWith({});
  session.setText("app/main.py", "new");
  const pressed = [session.try(), session.undo()];
  session.setText("app/main.py", "newer");
  await Promise.all([...pressed, session.undo()]);
  expect(asked.filter(([path]) => path === "undo").map(([, body]) => body)).toEqual([{ edit: null }]);
  expect(session.files.get("app/main.py")?.text).toBe("old");
});

test("a physical robot is asked for before a try", async () => {
  const { session, asked, questions } = await sessionWith({}, { physical: true });
  await session.try();
  expect(asked).toEqual([]);
  await questions[0]?.run();
  expect(asked).toContainEqual(["try", { files: [], confirmed: true }]);
});

test("a keep that needs a confirmation asks, and is sent with it", async () => {
  const { session, asked, questions, answers } = await sessionWith({
    keep: new RequestError("confirmation-required", "pyproject.toml: an install executes it."),
  });
  session.setText("app/main.py", "new");
  await session.keep();
  delete answers.keep;
  await questions[0]?.run();
  const file = { name: "app/main.py", text: "new", hash: "h" };
  expect(asked.filter(([path]) => path === "keep").at(-1)?.[1]).toEqual({
    files: [file],
    instruction: "",
    confirmed: ["app/main.py"],
  });
});

test.each(["keep", "undo"] as const)(
  "a %s that is done says what went wrong with the run, and is done",
  async (action) => {
    const problem = { code: "start-cancelled", detail: "it was not started" };
    const contents = { ...CONTENTS, files: [{ name: "app/main.py", text: "new", hash: "n" }] };
    const { session, asked, reported } = await sessionWith({ [action]: resultWith(contents, problem) });
    session.setText("app/main.py", "new");
    await session[action]();
    expect(session.files.isChanged.value).toBe(false);
    expect(reported).toMatchObject([{ message: expect.stringMatching(/The files are written.*it was not started/) }]);
    // Files that cannot be read after the write are read again.
    const unread = await sessionWith({ [action]: resultWith(null) });
    unread.session.setText("app/main.py", "newer");
    await unread.session[action]();
    expect(unread.asked.map(([path]) => path)).toContain("files");
    expect(asked.map(([path]) => path)).not.toContain("files");
  },
);

test("what became of an interrupted edit is shown until it is dismissed", async () => {
  const { session } = await sessionWith({}, { interrupted: ["It was taken back.", "It was finished."] });
  session.dismissInterrupted("It was taken back.");
  await session.load();
  expect(session.interrupted.value).toEqual(["It was finished."]);
});

test("an undo that waits for a keep takes back what that keeps", async () => {
  const kept = { ...CONTENTS, files: [{ name: "app/main.py", text: "new", hash: "n" }], findings: [] };
  const { session, asked } = await sessionWith({
    keep: resultWith({ ...kept, undoable: { ...CONTENTS.undoable, time: "kept" } }),
  });
  session.setText("app/main.py", "new");
  await Promise.all([session.keep(), session.undo()]);
  expect(asked.find(([path]) => path === "undo")?.[1]).toEqual({ edit: "kept" });
});

test("a second press while the first is under way does nothing; other buttons wait, each in its turn", async () => {
  const { session, asked } = await sessionWith({});
  session.setText("app/main.py", "new");
  await Promise.all([session.try(), session.try(), session.keep(), session.keep(), session.undo()]);
  expect(asked.map(([path]) => path).filter((path) => path !== "check")).toEqual(["try", "keep", "undo"]);
  expect(session.pending.value).toBe(null);
});

test.each(["try", "keep"] as const)("what is typed during a %s is for a second one", async (act) => {
  const { session, asked } = await sessionWith({});
  session.setText("app/main.py", "new");
  const first = session[act]();
  session.setText("app/main.py", "newer");
  await Promise.all([first, session[act]()]);
  const texts = asked.filter(([path]) => path === act).map(([, body]) => (body as KeepBody).files[0]?.text);
  expect(texts).toEqual(["new", "newer"]);
});

test("a secret that the daemon refuses is reported as that, and nothing stays pending", async () => {
  const { session, refusals, reported } = await sessionWith({ try: new RequestError("workshop-secret", "no") });
  await session.try();
  expect([refusals(), reported, session.pending.value]).toEqual([1, [], null]);
});

test("what is typed during a check is checked after it, at once and as it is then", async () => {
  const { session, asked } = await sessionWith({});
  for (const text of ["a", "ab", "abc"]) session.setText("app/main.py", text);
  await new Promise(setImmediate);
  const texts = asked.filter(([path]) => path === "check").map(([, body]) => (body as KeepBody).files[0]?.text);
  expect(texts).toEqual(["a", "abc"]);
});

test("a new file that is taken back, and the folder's text in place of the model's, leave nothing to decide", async () => {
  const { session } = await sessionWith({});
  session.addFile("app/new.py");
  for (const [file, end] of [
    ["app/new.py", () => session.removeFile("app/new.py")],
    ["app/main.py", () => session.resolve("app/main.py", "folder")],
  ] as const) {
    session.asks.proposal.value = { file, before: "", asked: "", isWhole: true };
    end();
    expect(session.asks.isUndecided.value).toBe(false);
  }
});

test("a part of the model's edit is neither tried nor kept, and an undo stops the rest", async () => {
  const { session, asked } = await sessionWith({});
  session.asks.proposal.value = { file: "app/main.py", before: "old", asked: "old", isWhole: false };
  session.setText("app/main.py", "half");
  await Promise.all([session.try(), session.keep()]);
  expect(asked.filter(([path]) => path !== "check")).toEqual([]);
  await session.undo();
  expect([session.files.get("app/main.py")?.text, session.asks.isArriving.value]).toEqual(["old", false]);
});

test("the place of a failure is not shown for the next one, also when its answer is late", async () => {
  const place = { file: "app/main.py", line: 3 };
  let answerLate: (answer: object) => void = () => {};
  const { session, answers } = await sessionWith({ failure: new Promise((resolve) => (answerLate = resolve)) });
  const isFound = session.findFailure(1000);
  expect(session.failurePlace(1000)).toBeNull();
  answers.failure = { place: null };
  await session.findFailure(2000);
  answerLate({ place });
  await isFound;
  expect(session.failurePlace(2000)).toBeNull();
  answers.failure = { place };
  await session.findFailure(3000);
  expect(session.failurePlace(3000)).toEqual(place);
  expect(session.failurePlace(4000)).toBeNull();
});
