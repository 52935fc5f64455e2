import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sameName } from "../../../robot/wire/app-search.ts";
import { type HandmadeVenv, handmadeVenv } from "../testing/handmade-venv.ts";
import { Catalogue } from "./catalogue.ts";
import { parseCustomAppUrl, parseEntryPoints } from "./formats.ts";
import { nearNames } from "./names.ts";

let home: HandmadeVenv;
let catalogue: Catalogue;
beforeEach(async () => {
  home = await handmadeVenv();
  catalogue = new Catalogue(home.venv);
});
afterEach(() => home.remove());

async function put(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
const names = async () => (await catalogue.list()).map(({ info }) => info.name);

describe("the apps of an environment", () => {
  test("show with what their records say", async () => {
    const info = path.join(home.sitePackages, "Wave_Back-1.2.dist-info");
    await put(
      path.join(info, "entry_points.txt"),
      "[console_scripts]\nwave=wave:main\n\n[robot_apps]\nwave_back = wave_back.main:WaveBack\n",
    );
    await put(
      path.join(info, "METADATA"),
      "Metadata-Version: 2.1\nName: wave-back\nVersion: 1.2\nSummary: Waves back.\nHome-page: https://example.org/w\n\nName: not this\n",
    );
    await put(
      path.join(home.sitePackages, "wave_back/main.py"),
      'class WaveBack(RobotApp):\n    custom_app_url: str | None = "http://0.0.0.0:8042"\n',
    );
    expect(await catalogue.list()).toEqual([
      {
        module: "wave_back.main",
        file: path.join(home.sitePackages, "wave_back/main.py"),
        info: {
          name: "wave_back",
          source_kind: "installed",
          description: "Waves back.",
          url: "https://example.org/w",
          extra: {
            entry_point: "wave_back.main:WaveBack",
            distribution: "wave-back",
            version: "1.2",
            custom_app_url: "http://0.0.0.0:8042",
          },
        },
      },
    ]);
  });

  test("show as soon as they are put there, change, and go, without a restart", async () => {
    expect(await names()).toEqual([]);
    await home.add("obedient");
    expect(await names()).toEqual(["obedient"]);
    const info = path.join(home.sitePackages, "obedient-1.0.0.dist-info");
    await put(path.join(info, "METADATA"), "Name: obedient\nVersion: 2.0.0\nSummary: Another one\n");
    expect((await catalogue.find("obedient")).info).toMatchObject({
      description: "Another one",
      extra: { version: "2.0.0" },
    });
    await rm(info, { recursive: true });
    expect(await names()).toEqual([]);
  });

  test("may be editable: the folder on the import path is where they live", async () => {
    const source = path.join(home.root, "source", "src");
    const info = path.join(home.sitePackages, "edited-1.dist-info");
    await put(path.join(source, "edited/main.py"), "class E:\n    custom_app_url = 'http://localhost:9000'\n");
    await put(path.join(home.sitePackages, "__editable__.edited-1.pth"), `${source}\n`);
    await put(path.join(info, "entry_points.txt"), "[robot_apps]\nedited = edited.main:E\n");
    await put(path.join(info, "METADATA"), "Name: edited\nVersion: 1\n");
    await put(
      path.join(info, "direct_url.json"),
      JSON.stringify({ url: `file://${path.dirname(source)}`, dir_info: { editable: true } }),
    );
    expect((await catalogue.find("edited")).info.extra).toMatchObject({
      editable: true,
      folder: path.dirname(source),
      custom_app_url: "http://localhost:9000",
    });
  });

  test("are passed over when their names or values are none, and when pip was about to remove them", async () => {
    const record = (folder: string, entry: string) => [
      put(path.join(home.sitePackages, folder, "entry_points.txt"), `[robot_apps]\n${entry}\n`),
      put(path.join(home.sitePackages, folder, "METADATA"), "Name: x\nVersion: 1\n"),
    ];
    await Promise.all([
      ...record("a-1.dist-info", "../evil = evil.main:Evil"),
      ...record("b-1.dist-info", "no_class = no_class.main"),
      ...record("~c-1.dist-info", "leaving = leaving.main:Leaving"),
    ]);
    expect(await names()).toEqual([]);
  });

  test("are none where there is no environment", async () => {
    expect(await new Catalogue("/nowhere").list()).toEqual([]);
  });

  test("are found by any spelling, and the near ones are named", async () => {
    for (const app of ["obedient", "slow_exit", "slow_import"]) await home.add(app);
    expect((await catalogue.find("Slow-Exit")).info.name).toBe("slow_exit");
    await expect(catalogue.find("slow_exi")).rejects.toMatchObject({
      code: "app-not-found",
      message:
        'No app named "slow_exi" is installed. Did you mean slow_exit? Installed: obedient, slow_exit, slow_import.',
    });
    expect(await readdir(home.sitePackages)).toHaveLength(6);
  });
});

test("names are the same whatever separates their words", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z0-9]{1,5}$/), { minLength: 1 }), (words) => {
      expect(sameName(words.join("-").toUpperCase(), words.join("_"))).toBe(true);
      expect(sameName(words.join("."), `${words.join("__")}`)).toBe(true);
      expect(sameName(words.join("-"), `${words.join("-")}x`)).toBe(false);
    }),
  );
  expect(nearNames("helo-robot", ["hello_robot", "dance"])).toEqual(["hello_robot"]);
});

test("entry points are read as Python reads them", () => {
  expect(
    parseEntryPoints("# a comment\n[robot_apps]\r\na=b.main:C\n ; x=y:z\n d = e.main : F [extra]\n[other]\ng=h:i"),
  ).toEqual([
    { key: "a", module: "b.main", className: "C" },
    { key: "d", module: "e.main", className: "F" },
  ]);
});

test("a web page's address is a literal of the class, or there is none", () => {
  expect(parseCustomAppUrl("class A:\n    custom_app_url = None\n")).toBeNull();
  expect(parseCustomAppUrl("# custom_app_url = 'http://x:1'\n")).toBeNull();
  expect(parseCustomAppUrl("class A(B):\n\tcustom_app_url: Optional[str]='http://x:1'\n")).toBe("http://x:1");
});
