import { expect, test } from "vitest";
import type { AskEvent } from "../../robot/wire/workshop/ask.ts";
import { EditedFiles } from "./edited-files.ts";
import { ModelAsks } from "./model-asks.ts";

const ANSWER: AskEvent = {
  ...{ kind: "answer", file: "a.py", text: "new", instruction: "Do it.", notes: [], explanation: "Done.", proof: null },
};

/** Asks of a model that gives these events. */
function asksWith(...events: AskEvent[]) {
  const files = new EditedFiles();
  files.receive([{ name: "a.py", text: "old", hash: "h" }], "a.py");
  const seen: string[] = [];
  const shown: string[] = [];
  const asks: ModelAsks = new ModelAsks({
    files,
    stream: async (_path, _body, signal, onLine) => {
      for (const event of events) {
        await Promise.resolve();
        signal.throwIfAborted();
        onLine(event as never);
        seen.push(`${files.get("a.py")?.text} ${asks.proposal.value?.isWhole}`);
      }
    },
    onText: (name, text) => files.setText(name, text),
    show: (name) => void shown.push(name),
    report: () => {},
  });
  return { asks, files, seen, shown };
}

test("drafts are shown as a comparison with the text before, and the answer ends it when every change is decided", async () => {
  const { asks, files, seen } = asksWith({ kind: "draft", text: "ne" }, ANSWER);
  await asks.ask("a.py", "Do it.");
  expect(seen).toEqual(["ne false", "new true"]);
  expect(asks.proposal.value).toEqual({ file: "a.py", before: "old", asked: "old", isWhole: true });
  expect([asks.instruction, asks.note.value?.text, asks.progress.value]).toEqual(["Do it.", "Done.", null]);
  asks.decided();
  expect([asks.proposal.value, files.get("a.py")?.text, asks.instruction]).toEqual([null, "new", "Do it."]);
});

test.each<[string, AskEvent]>([
  ["fails", { kind: "failed", code: "edit-refused", detail: "No." }],
  ["changes nothing", { kind: "no-change", explanation: "" }],
])("a draft is taken back when the answer %s", async (_, end) => {
  const { asks, files } = asksWith({ kind: "draft", text: "ne" }, end);
  await asks.ask("a.py", "");
  expect([files.get("a.py")?.text, asks.proposal.value]).toEqual(["old", null]);
  expect(asks.note.value?.text).toMatch(/./);
});

test("an edit of which nothing is kept leaves no instruction, and one that arrives shows its file once", async () => {
  const { asks, shown } = asksWith({ kind: "draft", text: "ne" }, { kind: "draft", text: "new" }, ANSWER);
  await asks.ask("a.py", "Do it.");
  expect(shown).toEqual(["a.py"]);
  asks.leave();
  expect([asks.instruction, asks.isUndecided.value]).toEqual(["", false]);
});

test("a draft is taken back when the person stops it", async () => {
  const { asks, files } = asksWith({ kind: "draft", text: "ne" }, { kind: "draft", text: "new" });
  const asked = asks.ask("a.py", "");
  asks.stop();
  await asked;
  expect([files.get("a.py")?.text, asks.progress.value]).toEqual(["old", null]);
});

test("a second request while one is under way does nothing", async () => {
  const { asks, seen } = asksWith(ANSWER);
  await Promise.all([asks.ask("a.py", ""), asks.ask("a.py", "")]);
  expect(seen).toHaveLength(1);
});

test("an edit of a text that a person has changed since is not shown, and what was typed stays", async () => {
  const { asks, files } = asksWith({ kind: "trying" }, ANSWER);
  const asked = asks.fix("failure", "a.py");
  files.setText("a.py", "typed");
  await asked;
  expect([files.get("a.py")?.text, asks.proposal.value]).toEqual(["typed", null]);
  expect(asks.note.value).toMatchObject({ level: "error", text: expect.stringContaining("ask it again") });
});

test("the model is not asked again before its edit is decided; what is left is taken back, and what is kept stays", async () => {
  const { asks, files, seen } = asksWith({ ...ANSWER, text: "kept and undecided" });
  await asks.ask("a.py", "");
  await asks.ask("a.py", "");
  await asks.fix("failure", "a.py");
  expect([seen.length, files.get("a.py")?.text]).toEqual([1, "kept and undecided"]);
  expect(asks.note.value).toMatchObject({ level: "error", text: expect.stringContaining("a.py is not decided") });
  expect(asks.isUndecided.value).toBe(true);
  asks.kept("kept");
  asks.leave();
  expect([files.get("a.py")?.text, asks.isUndecided.value, asks.note.value]).toEqual(["kept", false, null]);
  await asks.ask("a.py", "");
  expect(seen).toHaveLength(2);
});
