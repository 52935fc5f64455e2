import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { hashText } from "../../../edit/apply/apply.ts";
import { WrittenFiles } from "./written-files.ts";

test("a file as the workshop wrote it is left out, until it has had another text", async () => {
  const folder = temporaryFolder("written-");
  const written = new WrittenFiles(folder);
  const save = (text: string) => writeFile(join(folder, "main.py"), text);
  written.add({
    files: [
      { name: "main.py", hash: hashText("kept") },
      { name: "gone.py", hash: "" },
    ],
  });
  await save("kept");
  expect(await written.without(["main.py", "gone.py", "other.py"])).toEqual(["other.py"]);
  await save("by an editor");
  expect(await written.without(["main.py"])).toEqual(["main.py"]);
  await save("kept");
  expect(await written.without(["main.py"])).toEqual(["main.py"]);
});

test("an event of another shape is ignored", async () => {
  const written = new WrittenFiles("/nowhere");
  written.add({ files: "all" });
  written.add(null);
  expect(await written.without(["main.py"])).toEqual(["main.py"]);
});
