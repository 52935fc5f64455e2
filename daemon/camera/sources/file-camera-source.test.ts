import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { ManualClock } from "../../../common/time/manual-clock.ts";
import { FileCameraSource, PICTURE_MS } from "./file-camera-source.ts";

test("shows the pictures of a folder in the order of their numbers, and begins with the first at each start", async () => {
  const folder = temporaryFolder("pictures-");
  for (const name of ["10.jpg", "2.PNG", "1.jpeg", "notes.txt"]) await writeFile(path.join(folder, name), "");
  const clock = new ManualClock();
  const source = await FileCameraSource.open(folder, clock);
  clock.advance(1234);
  source.start();
  const shown: string[] = [];
  for (let i = 0; i < 4; i += 1) {
    const content = await source.take();
    if (content.kind === "file") shown.push(path.basename(content.path));
    clock.advance(PICTURE_MS);
  }
  expect(shown).toEqual(["1.jpeg", "2.PNG", "10.jpg", "1.jpeg"]);
});
