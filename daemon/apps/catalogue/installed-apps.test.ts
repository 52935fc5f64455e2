import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sameName } from "../../../robot/wire/apps/app-search.ts";
import { addDistribution } from "../testing/distribution.ts";
import { createTestVenv, type TestVenv } from "../testing/test-venv.ts";
import { parseCustomAppUrl, parseEntryPoints } from "./formats.ts";
import { InstalledApps } from "./installed-apps.ts";
import { similarNames } from "./names.ts";
import { OriginRecords } from "./origin-records.ts";

let home: TestVenv;
let installed: InstalledApps;
beforeEach(async () => {
  home = await createTestVenv();
  installed = new InstalledApps(home.venv);
});
afterEach(() => home.remove());

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
const names = async () => (await installed.list()).map(({ info }) => info.name);

describe("the apps of an environment", () => {
  test("have the origin of their installation, until a person installs them in another way", async () => {
    const files = { "waves.py": "" };
    const distribution = { name: "waves", files, entryPoint: "wave = waves:Wave" };
    await addDistribution(home.sitePackages, distribution);
    const origins = new OriginRecords(home.venv, null);
    const apps = new InstalledApps(home.venv, origins);
    const origin = { kind: "local", from: "/home/me/wave", revision: "sha256:1" } as const;
    await origins.set(["wave"], origin, (await apps.find("wave")).installation);
    expect((await apps.find("wave")).info.extra.origin).toEqual(origin);
    await addDistribution(home.sitePackages, { ...distribution, files: { ...files, "fix.py": "" } });
    expect((await apps.find("wave")).info.extra.origin).toBeUndefined();
  });

  test("are listed with their metadata", async () => {
    const info = path.join(home.sitePackages, "Wave_Back-1.2.dist-info");
    await write(
      path.join(info, "entry_points.txt"),
      "[console_scripts]\nwave=wave:main\n\n[robot_apps]\nwave_back = wave_back.main:WaveBack\n",
    );
    await write(
      path.join(info, "METADATA"),
      "Metadata-Version: 2.1\nName: wave-back\nVersion: 1.2\nSummary: Waves back.\nHome-page: https://example.org/w\n\nName: not this\n",
    );
    await write(
      path.join(home.sitePackages, "wave_back/main.py"),
      'class WaveBack(RobotApp):\n    custom_app_url: str | None = "http://0.0.0.0:8042"\n',
    );
    expect(await installed.list()).toEqual([
      {
        module: "wave_back.main",
        file: path.join(home.sitePackages, "wave_back/main.py"),
        metadataFolder: info,
        info: {
          name: "wave_back",
          source_kind: "installed",
          description: "Waves back.",
          url: "https://example.org/w",
          extra: {
            dialect: "robot",
            entry_point: "wave_back.main:WaveBack",
            distribution: "wave-back",
            version: "1.2",
            custom_app_url: "http://0.0.0.0:8042",
          },
        },
      },
    ]);
  });

  test("are listed as soon as they are installed, changed or removed, without a restart", async () => {
    expect(await names()).toEqual([]);
    await home.add("obedient");
    expect(await names()).toEqual(["obedient"]);
    const info = path.join(home.sitePackages, "obedient-1.0.0.dist-info");
    await write(path.join(info, "METADATA"), "Name: obedient\nVersion: 2.0.0\nSummary: Another one\n");
    expect((await installed.find("obedient")).info).toMatchObject({
      description: "Another one",
      extra: { version: "2.0.0" },
    });
    await rm(info, { recursive: true });
    expect(await names()).toEqual([]);
  });

  test("are read for many calls together, but never before a call", async () => {
    const calls = [installed.list()];
    await home.add("obedient");
    for (let count = 0; count < 50; count += 1) calls.push(installed.list());
    const [, ...later] = await Promise.all(calls);
    for (const apps of later) expect(apps.map(({ info }) => info.name)).toEqual(["obedient"]);
    // The reading that the first of them begins, and the one that all others wait for.
    expect(new Set(later.map(([app]) => app)).size).toBeLessThanOrEqual(2);
    await home.add("spins");
    expect(await names()).toEqual(["obedient", "spins"]);
  });

  test("may be editable installs, whose modules are in a folder on the import path", async () => {
    const source = path.join(home.root, "source", "src");
    const info = path.join(home.sitePackages, "edited-1.dist-info");
    await write(path.join(source, "edited/main.py"), "class E:\n    custom_app_url = 'http://localhost:9000'\n");
    await write(path.join(home.sitePackages, "__editable__.edited-1.pth"), `${source}\n`);
    await write(path.join(info, "entry_points.txt"), "[robot_apps]\nedited = edited.main:E\n");
    await write(path.join(info, "METADATA"), "Name: edited\nVersion: 1\n");
    await write(
      path.join(info, "direct_url.json"),
      JSON.stringify({ url: `file://${path.dirname(source)}`, dir_info: { editable: true } }),
    );
    expect((await installed.find("edited")).info.extra).toMatchObject({
      editable: true,
      folder: path.dirname(source),
      custom_app_url: "http://localhost:9000",
    });
  });

  test("are left out when their name or value is invalid, and when pip was about to remove them", async () => {
    const record = (folder: string, entry: string) => [
      write(path.join(home.sitePackages, folder, "entry_points.txt"), `[robot_apps]\n${entry}\n`),
      write(path.join(home.sitePackages, folder, "METADATA"), "Name: x\nVersion: 1\n"),
    ];
    await Promise.all([
      ...record("a-1.dist-info", "../evil = evil.main:Evil"),
      ...record("b-1.dist-info", "no_class = no_class.main"),
      ...record("~c-1.dist-info", "leaving = leaving.main:Leaving"),
    ]);
    expect(await names()).toEqual([]);
  });

  test("are none when there is no environment", async () => {
    expect(await new InstalledApps("/nowhere").list()).toEqual([]);
  });

  test("are found by any spelling; the error for an unknown name suggests similar ones", async () => {
    for (const app of ["obedient", "slow_exit", "slow_import"]) await home.add(app);
    expect((await installed.find("Slow-Exit")).info.name).toBe("slow_exit");
    await expect(installed.find("slow_exi")).rejects.toMatchObject({
      code: "app-not-found",
      message:
        'No app named "slow_exi" is installed. Did you mean slow_exit? Installed: obedient, slow_exit, slow_import.',
    });
    expect(await readdir(home.sitePackages)).toHaveLength(6);
  });
});

test("names are equal with any separators between their words", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z0-9]{1,5}$/), { minLength: 1 }), (words) => {
      expect(sameName(words.join("-").toUpperCase(), words.join("_"))).toBe(true);
      expect(sameName(words.join("."), `${words.join("__")}`)).toBe(true);
      expect(sameName(words.join("-"), `${words.join("-")}x`)).toBe(false);
    }),
  );
  expect(similarNames("helo-robot", ["hello_robot", "dance"])).toEqual(["hello_robot"]);
});

test("entry points are parsed as Python parses them", () => {
  expect(
    parseEntryPoints("# a comment\n[robot_apps]\r\na=b.main:C\n ; x=y:z\n d = e.main : F [extra]\n[other]\ng=h:i"),
  ).toMatchObject([
    { key: "a", module: "b.main", className: "C" },
    { key: "d", module: "e.main", className: "F" },
  ]);
});

test("an app belongs to the dialect of its group, and its key may have hyphens", () => {
  const found = parseEntryPoints(
    "[robot_apps]\na = a.main:A\n[reachy_mini_apps]\nwave-back = wave_back.main:W\n[gui]\nx=y:z",
  );
  expect(found.map(({ key, dialect }) => [key, dialect.id])).toEqual([
    ["a", "robot"],
    ["wave-back", "reachy_mini"],
  ]);
});

test("the address of a settings page is read from a literal of the class only", () => {
  expect(parseCustomAppUrl("class A:\n    custom_app_url = None\n")).toBeNull();
  expect(parseCustomAppUrl("# custom_app_url = 'http://x:1'\n")).toBeNull();
  expect(parseCustomAppUrl("class A(B):\n\tcustom_app_url: Optional[str]='http://x:1'\n")).toBe("http://x:1");
  expect(parseCustomAppUrl("class A(B):\n    custom_app_url = (\n        'http://x:1'\n    )\n")).toBe("http://x:1");
  const example = '    """Set it so:\n    custom_app_url = \'http://x:1\'\n    """\n';
  expect(parseCustomAppUrl(`class A(B):\n${example}    custom_app_url = None\n`)).toBeNull();
});
