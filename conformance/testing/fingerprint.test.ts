import { expect, test } from "vitest";
import { fingerprintsIn, isListed, listedFields, tellingFields } from "./fingerprint.ts";

test("a field tells two kinds of runs apart when they share no value, and numbers when their ranges do not overlap", () => {
  const [one, other] = [
    [
      { same: "a", often: "a", always: "a", gone: "x", wide: 1, apart: 1, list: [1, 2] },
      { same: "a", often: "b", always: "b", gone: "x", wide: 9, apart: 2, list: [1, 2] },
    ],
    [{ same: "a", often: "b", always: "c", wide: 5, apart: 3, list: [2, 1] }],
  ];
  expect(tellingFields(one, other)).toEqual(["always", "apart", "gone", "list"]);
});

test("fingerprints are found among other lines", () => {
  expect(fingerprintsIn(["hello", 'before FINGERPRINT {"a.b": 1}'])).toEqual([{ "a.b": 1 }]);
});

test("a page lists fields, and beginnings of fields", () => {
  const list = listedFields("`a.x` <!-- fields of a fingerprint -->\n| `file.home`, `process.*` | why |\n<!-- end -->");
  expect(list).toEqual(["file.home", "process.*"]);
  const fields = ["file.home", "file.homes", "process.pid", "a.x"];
  expect(fields.filter((field) => isListed(list, field))).toEqual(["file.home", "process.pid"]);
});
