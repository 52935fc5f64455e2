import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { commit, listCommits, listFiles } from "@huggingface/hub";
import { execa } from "execa";
import { test } from "vitest";
import { type Hub, startHub } from "../../../fixtures/hub/server/hub.ts";
import { runProgram } from "../../program.ts";
import type { Terminal } from "../../terminal.ts";
import { type FakeTerminal, fakeTerminal } from "../../testing/fake-terminal.ts";

/** Opens the spaces of "maker" for writing. */
export const TOKEN = "hf_local_write";
export const SPACE = { type: "space", name: "maker/my_app" } as const;

type Written = FakeTerminal["written"];

/** A hub without spaces, and an author with an app that is not published yet. */
export interface PublishFixture {
  /** Folder of everything, and the author's home. */
  place: string;
  /** The app's folder, `place/my_app`. */
  app: string;
  hub: Hub;
  /** Runs the assistant in `place`, where questions are not answered unless `more` has answers. */
  run(args: string[], more?: Partial<Terminal>, env?: Record<string, string>): Promise<Written>;
  /** `publish my_app --skip-certify` to the hub. */
  publish(args?: string[], more?: Partial<Terminal>, env?: Record<string, string>): Promise<Written>;
  /** Runs git in the app's folder and returns what it prints. */
  git(...args: string[]): Promise<string>;
  filesOnHub(): Promise<string[]>;
  /** Titles of the commits, newest first. */
  titlesOnHub(): Promise<string[]>;
  /** Changes a file of the space, as from another machine. */
  commitOnHub(file: string, content: string): Promise<unknown>;
  close(): Promise<void>;
}

async function startPublishFixture(): Promise<PublishFixture> {
  const place = await mkdtemp(path.join(tmpdir(), "publish-"));
  const app = path.join(place, "my_app");
  const defects: unknown[] = [];
  const hub = await startHub({
    dataDir: path.join(place, "hub"),
    port: 0,
    searchPath: process.env.PATH ?? "",
    now: Date.now,
    onDefect: (error) => defects.push(error),
  });

  const run: PublishFixture["run"] = async (args, more = {}, env = {}) => {
    const terminal = fakeTerminal({
      cwd: place,
      packageFolder: process.cwd(),
      env: { PATH: process.env.PATH ?? "", HOME: place, HF_TOKEN: TOKEN, GIT_CONFIG_NOSYSTEM: "1", ...env },
      ...more,
    });
    await runProgram(args, "0.0.0", terminal);
    return terminal.written;
  };
  await run(["create", "my_app", "."]);

  return {
    place,
    app,
    hub,
    run,
    publish: (args = [], more = {}, env = {}) =>
      run(["publish", "my_app", "--skip-certify", "--hub-url", hub.url, ...args], more, env),
    git: async (...args) =>
      (await execa("git", ["-c", "user.name=me", "-c", "user.email=me@localhost", ...args], { cwd: app })).stdout,
    filesOnHub: async () => {
      const files: string[] = [];
      for await (const { type, path: file } of listFiles({ repo: SPACE, recursive: true, hubUrl: hub.url })) {
        if (type === "file") files.push(file);
      }
      return files;
    },
    titlesOnHub: async () => {
      const titles: string[] = [];
      for await (const { title } of listCommits({ repo: SPACE, hubUrl: hub.url })) titles.push(title);
      return titles;
    },
    commitOnHub: (file, content) =>
      commit({
        repo: SPACE,
        title: `Change ${file}`,
        operations: [{ operation: "addOrUpdate", path: file, content: new Blob([content]) }],
        accessToken: TOKEN,
        hubUrl: hub.url,
      }),
    close: async () => {
      await hub.close();
      await rm(place, { recursive: true, force: true });
      if (defects.length > 0) throw new AggregateError(defects, "the hub broke");
    },
  };
}

/** A test with a fixture of its own. */
export const publishTest = test.extend<{ fixture: PublishFixture }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the needed fixtures from this pattern
  fixture: async ({}, use) => {
    const fixture = await startPublishFixture();
    await use(fixture);
    await fixture.close();
  },
});
