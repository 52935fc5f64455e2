import { expect, test } from "vitest";
import type { WorkshopFile } from "../../robot/wire/workshop/workshop.ts";
import { EditedFiles } from "./edited-files.ts";

const file = (name: string, text: string): WorkshopFile => ({ name, text, hash: `hash of ${text}` });
const filesOf = (...files: WorkshopFile[]) => {
  const edited = new EditedFiles();
  edited.receive(files, "app/main.py");
  return edited;
};

test("the main file is first, then its folder, then the rest", () => {
  const edited = filesOf(file("README.md", ""), file("app/a.py", ""), file("app/main.py", ""), file("setup.cfg", ""));
  expect(edited.list.value.map(({ name }) => name)).toEqual(["app/main.py", "app/a.py", "README.md", "setup.cfg"]);
});

test("a text that was changed here stays when the files are read again; one that was not is taken", () => {
  const edited = filesOf(file("a", "1"), file("b", "1"));
  edited.setText("a", "mine");
  edited.receive([file("a", "1"), file("b", "2")], "");
  expect(edited.list.value.map(({ text }) => text)).toEqual(["mine", "2"]);
  expect(edited.changes).toEqual([{ name: "a", text: "mine" }]);
  expect(edited.conflicts.value).toEqual([]);
});

test.each([
  ["folder", { text: "theirs", changed: false }],
  ["mine", { text: "mine", changed: true }],
] as const)("a file that changed on both sides is a conflict, which ends with the text of: %s", (choice, end) => {
  const edited = filesOf(file("a", "1"));
  edited.setText("a", "mine");
  edited.receive([file("a", "theirs")], "");
  expect(edited.conflicts.value.map(({ name }) => name)).toEqual(["a"]);
  edited.resolve("a", choice);
  expect(edited.get("a")).toMatchObject({ text: end.text, hash: "hash of theirs", conflict: null });
  expect(edited.isChanged.value).toBe(end.changed);
});

test("what is typed while a text is kept is a change of that text, and no conflict", () => {
  const edited = filesOf(file("a", "1"));
  edited.setText("a", "2");
  expect(edited.send()).toEqual([{ name: "a", text: "2", hash: "hash of 1" }]);
  edited.setText("a", "23");
  edited.receive([file("a", "2")], "");
  expect(edited.list.value).toMatchObject([{ text: "23", kept: "2", hash: "hash of 2", conflict: null }]);
});

test("a changed text stays, as a new file, when the folder has its file no more", () => {
  const edited = filesOf(file("a", "1"), file("b", "1"));
  edited.setText("a", "mine");
  edited.receive([file("b", "1")], "");
  expect(edited.list.value).toMatchObject([
    { name: "a", text: "mine", hash: "" },
    { name: "b", text: "1" },
  ]);
  edited.receive([file("a", "1"), file("b", "1")], "");
  expect(edited.conflicts.value).toMatchObject([{ name: "a", text: "mine" }]);
});

test("what was kept is no change any more", () => {
  const edited = filesOf(file("a", "1"));
  edited.setText("a", "2");
  edited.receive([file("a", "2")], "");
  expect(edited.isChanged.value).toBe(false);
});

test("a new file can be taken back, one that is kept cannot", () => {
  const edited = filesOf(file("a", "1"));
  edited.add("b");
  edited.setText("b", "2");
  edited.remove("b");
  edited.remove("a");
  expect(edited.list.value.map(({ name }) => name)).toEqual(["a"]);
});

test("a new file is a change until it is kept, and is gone when the changes are taken back", () => {
  const edited = filesOf(file("a", "1"));
  edited.add("b");
  edited.setText("a", "2");
  edited.receive([file("a", "1")], "");
  expect(edited.changes).toEqual([
    { name: "a", text: "2" },
    { name: "b", text: "" },
  ]);
  edited.revert();
  expect(edited.list.value).toMatchObject([{ name: "a", text: "1" }]);
});
