import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DEADLINE_MS } from "../../../common/testing/deadline.ts";
import { temporaryFolder } from "../../../common/testing/temporary-folder.ts";
import { waitFor } from "../../../common/time/wait-for.ts";
import { watchFolder } from "./watch-folder.ts";

async function watched() {
  const folder = temporaryFolder("watch é ");
  await mkdir(path.join(folder, "app/static"), { recursive: true });
  await writeFile(path.join(folder, "app/main.py"), "1");
  const seen: string[] = [];
  const watcher = await watchFolder(
    folder,
    (file) => /(^|\/)(__pycache__\/|.*\.tmp$)/.test(file),
    (file) => seen.push(file),
  );
  onTestFinished(() => watcher.close());
  const write = (file: string) => writeFile(path.join(folder, file), String(seen.length));
  const sees = (file: string) => waitFor(DEADLINE_MS, `${file} is reported`, () => seen.includes(file));
  return { folder, watcher, seen, write, sees };
}

test("a written file, one that is replaced by renaming, twice, and one in a new folder", async () => {
  const { folder, seen, write, sees } = await watched();
  await write("app/main.py");
  await sees("app/main.py");
  for (let round = 0; round < 2; round += 1) {
    seen.length = 0;
    await write("app/new.tmp");
    await rename(path.join(folder, "app/new.tmp"), path.join(folder, "app/main.py"));
    await sees("app/main.py");
  }
  await mkdir(path.join(folder, "app/moves/fast"), { recursive: true });
  await write("app/moves/fast/nod.py");
  await sees("app/moves/fast/nod.py");
  seen.length = 0;
  await write("app/moves/fast/nod.py");
  await sees("app/moves/fast/nod.py");
});

test.each(["removed", "moved away"])("a folder that is %s and made again, with the folders in it", async (how) => {
  const { folder, seen, write, sees } = await watched();
  const [app, other] = [path.join(folder, "app"), temporaryFolder("other ")];
  await cp(app, other, { recursive: true });
  for (let round = 0; round < 2; round += 1) {
    if (how === "removed") await rm(app, { recursive: true });
    else await rename(app, path.join(temporaryFolder("away "), "app"));
    await cp(other, app, { recursive: true });
    await sees("app/main.py");
    for (const file of ["app/later.py", "app/static/later.html"]) {
      await write(file);
      await sees(file);
    }
    seen.length = 0;
  }
});

test("ignored files and folders are not reported, and nothing after the end", async () => {
  const { folder, watcher, seen, write, sees } = await watched();
  await mkdir(path.join(folder, "app/__pycache__"));
  await write("app/__pycache__/main.pyc");
  await write("app/x.tmp");
  await write("app/static/page.html");
  await sees("app/static/page.html");
  expect(seen.filter((file) => file !== "app/static/page.html")).toEqual([]);
  watcher.close();
  seen.length = 0;
  await write("app/main.py");
  await mkdir(path.join(folder, "later"));
  const other = await watchFolder(
    folder,
    () => false,
    () => undefined,
  );
  other.close();
  expect(seen).toEqual([]);
});

test("the folder itself, when it is removed and made again; no file has two names", async () => {
  const { folder, seen, write, sees } = await watched();
  for (let round = 0; round < 2; round += 1) {
    await rename(path.join(folder, "app"), path.join(folder, "app2"));
    await rename(path.join(folder, "app2"), path.join(folder, "app"));
    await write("app/main.py");
    await sees("app/main.py");
    expect(seen.filter((file) => file.includes("//"))).toEqual([]);
    seen.length = 0;
    await rm(folder, { recursive: true });
    await mkdir(path.join(folder, "app"), { recursive: true });
    await write("app/main.py");
    await sees("app/main.py");
    seen.length = 0;
    await write("app/main.py");
    await sees("app/main.py");
  }
});
