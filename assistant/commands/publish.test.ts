import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { commit, createRepo, downloadFile, listCommits, listFiles, spaceInfo } from "@huggingface/hub";
import { execa } from "execa";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { fakeTerminal } from "../edit/testing/fake-terminal.ts";
import { type Hub, openHub } from "../hub/hub.ts";
import { runProgram } from "../program.ts";
import type { Terminal } from "../terminal.ts";

const TOKEN = "hf_local_write";
const SPACE = { type: "space", name: "maker/my_app" } as const;

let place = "";
let app = "";
let hub: Hub;
beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), "publish-command-"));
  app = path.join(place, "my_app");
  hub = await openHub({
    dataDir: path.join(place, "hub"),
    port: 0,
    searchPath: process.env.PATH ?? "",
    now: Date.now,
    onDefect: (error) => expect.fail(String(error)),
  });
  onTestFinished(async () => {
    await hub.close();
    await rm(place, { recursive: true, force: true });
  });
  await run(["create", "my_app", "."]);
});

async function run(args: string[], more: Partial<Terminal> = {}, env: Record<string, string> = {}) {
  const terminal = fakeTerminal({
    cwd: place,
    packageFolder: process.cwd(),
    env: { PATH: process.env.PATH ?? "", HOME: place, HF_TOKEN: TOKEN, GIT_CONFIG_NOSYSTEM: "1", ...env },
    ...more,
  });
  await runProgram(args, "0.0.0", terminal);
  return terminal.written;
}

const publish = (args: string[] = [], more: Partial<Terminal> = {}, env: Record<string, string> = {}) =>
  run(["publish", "my_app", "--hub-url", hub.url, ...args], more, env);

const git = async (...args: string[]) =>
  (await execa("git", ["-c", "user.name=me", "-c", "user.email=me@localhost", ...args], { cwd: app })).stdout;

async function filesOnHub(): Promise<string[]> {
  const files: string[] = [];
  for await (const { type, path: file } of listFiles({ repo: SPACE, recursive: true, hubUrl: hub.url })) {
    if (type === "file") files.push(file);
  }
  return files;
}

async function titlesOnHub(): Promise<string[]> {
  const titles: string[] = [];
  for await (const { title } of listCommits({ repo: SPACE, hubUrl: hub.url })) titles.push(title);
  return titles;
}

const commitOnHub = (name: string, file: string, content: string) =>
  commit({
    repo: { type: "space", name },
    title: `Change ${file}`,
    operations: [{ operation: "addOrUpdate", path: file, content: new Blob([content]) }],
    accessToken: TOKEN,
    hubUrl: hub.url,
  });

describe("an app that passes its check", () => {
  test("is published as it is in the folder, what .gitignore lists left out", async () => {
    await writeFile(path.join(app, ".env"), "KEY=1");
    await execa("python3", ["-m", "compileall", "-q", app]);
    const { out, err, code } = await publish();
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(out).toContain("✓ passed the check\n✓ signed in as maker\n✓ made ");
    expect(out).toContain(
      `Install it with: npx robot-daemon install ${hub.url}/spaces/maker/my_app --hub-url ${hub.url}\n`,
    );
    expect((await filesOnHub()).sort()).toEqual([
      ".gitignore",
      "README.md",
      "index.html",
      "my_app/__init__.py",
      "my_app/main.py",
      "pyproject.toml",
      "style.css",
    ]);
    expect(await titlesOnHub()).toEqual(["Publish my_app", "initial commit"]);
    expect(await git("status", "--short", "--branch")).toBe("## main...origin/main");
  });

  test("is published again with what has changed, and not when nothing has", async () => {
    await publish();
    expect((await publish()).out).toContain("nothing to publish: the space stands at");
    await writeFile(path.join(app, "my_app", "moves.py"), '"""Moves."""\n');
    expect((await publish(["-m", "Add moves"])).out).toContain("✓ published ");
    expect(await titlesOnHub()).toEqual(["Add moves", "Publish my_app", "initial commit"]);
    expect(await filesOnHub()).toContain("my_app/moves.py");
  });

  test("keeps the commits that its author made before", async () => {
    await git("init", "--quiet", "--initial-branch=work");
    await git("remote", "add", "origin", "https://example.com/elsewhere.git");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "By hand");
    expect(await publish()).toMatchObject({ err: "", code: 0 });
    expect((await titlesOnHub()).sort()).toEqual(["Begin the space", "By hand", "initial commit"]);
    expect(await filesOnHub()).toContain("my_app/main.py");
    expect(await git("remote")).toBe("origin\nspace");
    expect(await publish()).toMatchObject({ code: 0, out: expect.stringContaining("nothing to publish") });
  });

  test("goes where its folder was published before, whatever it is called", async () => {
    await publish();
    await git("remote", "set-url", "origin", `${hub.url}/spaces/tinkerer/other_name`);
    expect(await publish()).toMatchObject({ code: 3, err: expect.stringContaining("tinkerer/other_name") });
    await git("remote", "add", "space", `${hub.url}/spaces/maker/my_app.git`);
    expect(await publish()).toMatchObject({ code: 0, out: expect.stringContaining("nothing to publish") });
  });

  test("is for its owner alone with --private, and never made private after the fact", async () => {
    await publish(["--private"]);
    const space = await spaceInfo({ name: SPACE.name, accessToken: TOKEN, hubUrl: hub.url });
    expect(space.private).toBe(true);
    await run(["create", "open_app", ".", "--publish", "--hub-url", hub.url]);
    const again = await run(["publish", "open_app", "--private", "--hub-url", hub.url]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining("is public already") });
  });

  test("is asked about where a person is, unless --yes", async () => {
    const questions: string[] = [];
    const answering = (answer: boolean) => ({
      interactive: true,
      confirm: async (question: string) => {
        questions.push(question);
        return answer;
      },
    });
    expect(await publish([], answering(false))).toMatchObject({
      code: 1,
      out: expect.stringContaining("Not published"),
    });
    expect(await readdir(app)).not.toContain(".git");
    await expect(spaceInfo({ name: SPACE.name, hubUrl: hub.url })).rejects.toThrow();
    expect(await publish(["--yes"], answering(false))).toMatchObject({ code: 0 });
    expect(questions).toEqual([`Publish my_app at ${hub.url}/spaces/maker/my_app, for everybody to see?`]);
  });
});

describe("create --publish", () => {
  test("does both", async () => {
    const made = await run(["create", "second", ".", "--publish", "--hub-url", hub.url]);
    expect(made).toMatchObject({ err: "", code: 0 });
    expect(made.out).toContain(`${hub.url}/spaces/maker/second`);
    const main = { repo: { type: "space", name: "maker/second" }, path: "second/main.py", hubUrl: hub.url } as const;
    expect(await (await downloadFile(main))?.text()).toContain("class SecondApp(RobotApp)");
  });

  test("keeps the app when it could not be published", async () => {
    const made = await run(["create", "second", ".", "--publish", "--hub-url", hub.url], {}, { HF_TOKEN: "" });
    expect(made).toMatchObject({ code: 3, err: expect.stringContaining("hf auth login") });
    expect(made.out).toContain("Made ");
    expect(await readdir(path.join(place, "second"))).toContain("pyproject.toml");
  });
});

describe("nothing is published, here and there", () => {
  const unchanged = async () => expect(await readdir(app)).not.toContain(".git");

  test("when a MUST is not met", async () => {
    await rm(path.join(app, "style.css"));
    const { out, err, code } = await publish();
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("Not published: this is not yet a robot app"),
    });
    expect(out).toContain("✗ PKG-001");
    await unchanged();
  });

  test("when the app holds a secret", async () => {
    await writeFile(path.join(app, "notes.txt"), `token = hf_${"a".repeat(34)}`);
    expect(await publish()).toMatchObject({
      code: 1,
      err: expect.stringContaining("the app holds secrets"),
      out: expect.stringContaining("notes.txt:1"),
    });
    await unchanged();
  });

  test.each([
    ["no token", { HF_TOKEN: "" }, "Run hf auth login (or set HF_TOKEN) with a token that has Write permission"],
    ["a token that may only read", { HF_TOKEN: "hf_local_read" }, "may only read. Run hf auth login"],
    ["a token that the hub does not know", { HF_TOKEN: "hf_guessed" }, "does not know this token. Run hf auth login"],
  ])("with %s", async (_, env, message) => {
    expect(await publish([], {}, env)).toMatchObject({ code: 3, err: expect.stringContaining(message) });
    await unchanged();
  });

  test("when the hub is away", async () => {
    await hub.close();
    expect(await publish()).toMatchObject({ code: 3, err: expect.stringContaining("does not answer (ECONNREFUSED)") });
    await unchanged();
  });

  test("to a hub that the token would reach in clear text", async () => {
    expect(await publish(["--hub-url", "http://hub.example.com"])).toMatchObject({ code: 2 });
    expect(await publish(["--hub-url", "https://me:hf_x@hub.example.com"])).toMatchObject({ code: 2 });
    await unchanged();
  });

  test("when there is no such app", async () => {
    expect(await run(["publish", "nowhere"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("does not exist"),
    });
  });

  test("when git is not there", async () => {
    const err = expect.stringContaining("git is not installed");
    expect(await publish([], {}, { PATH: place })).toMatchObject({ code: 1, err });
    await unchanged();
  });

  test.each([
    ["a key", "notes.txt", `token = hf_${"a".repeat(34)}`],
    ["a file of keys", "deploy.pem", "-"],
  ])("when an earlier commit holds %s, even if it is gone", async (_, file, text) => {
    await git("init", "--quiet", "--initial-branch=main");
    for (const content of [text, ""]) {
      await writeFile(path.join(app, file), content);
      if (content === "") await rm(path.join(app, file));
      await git("add", "--all");
      await git("commit", "--quiet", "--message", "Work");
    }
    const before = await git("rev-parse", "HEAD");
    expect(await publish()).toMatchObject({ code: 1, err: expect.stringMatching(/The commit \w+ holds a secret/) });
    expect(await git("rev-parse", "HEAD")).toBe(before);
    expect(await titlesOnHub()).toEqual(["initial commit"]);
  });

  test("when the hub turns the push down, whose words are shown", async () => {
    await publish();
    const hook = path.join(place, "hub/spaces/maker/my_app.git/hooks/pre-receive");
    await writeFile(hook, "#!/bin/sh\necho 'It contains files larger than 10 MiB' >&2\nexit 1\n", { mode: 0o755 });
    await writeFile(path.join(app, "large.txt"), "large");
    const err = expect.stringContaining("It contains files larger than 10 MiB");
    expect(await publish()).toMatchObject({ code: 1, err });
    expect(await filesOnHub()).not.toContain("large.txt");
  });

  test("when the folder belongs to a larger repository", async () => {
    await execa("git", ["init", "--quiet"], { cwd: place });
    await execa("git", ["add", "my_app"], { cwd: place });
    expect(await publish()).toMatchObject({ code: 1, err: expect.stringContaining("is part of the git repository") });
    await unchanged();
  });

  test("when interrupted", async () => {
    const interrupt = new AbortController();
    const out = (text: string) => text.includes("passed") && interrupt.abort(new Error("Interrupted."));
    expect(await publish([], { signal: interrupt.signal, out })).toMatchObject({ code: 130, err: "" });
    await unchanged();
  });
});

describe("what is on the hub stays", () => {
  test("when it has commits that are not here", async () => {
    await publish();
    await commitOnHub(SPACE.name, "NOTES.md", "from another machine");
    await writeFile(path.join(app, "here.txt"), "here");
    const before = await git("rev-parse", "HEAD");
    const { err, code } = await publish();
    expect(code).toBe(1);
    expect(err).toContain("holds commits that are not here. Nothing was changed. Take them in first");
    expect(err).toContain("git pull --rebase origin main");
    expect(await git("rev-parse", "HEAD")).toBe(before);
    expect(await filesOnHub()).toContain("NOTES.md");

    await git("add", "--all");
    await git("commit", "--quiet", "--message", "Here");
    await git("pull", "--quiet", "--rebase", "origin", "main");
    expect(await publish()).toMatchObject({ code: 0 });
    expect(await filesOnHub()).toEqual(expect.arrayContaining(["NOTES.md", "here.txt"]));
  });

  test("when the name belongs to something else", async () => {
    const files = [{ path: "pyproject.toml", content: new Blob(["theirs"]) }];
    await createRepo({ repo: SPACE, sdk: "static", files, accessToken: TOKEN, hubUrl: hub.url });
    expect(await publish()).toMatchObject({
      code: 1,
      err: expect.stringContaining("exists already and is something else"),
    });
    const theirs = await downloadFile({ repo: SPACE, path: "pyproject.toml", hubUrl: hub.url });
    expect(await theirs?.text()).toBe("theirs");
  });

  test("when a file would go along that was never looked at", async () => {
    await publish();
    await writeFile(path.join(app, ".made_cache"), "made here");
    await git("add", "--force", ".made_cache");
    await git("commit", "--quiet", "--message", "Slip");
    expect(await publish()).toMatchObject({
      code: 1,
      err: expect.stringContaining("did not look at: .made_cache. List"),
    });
    expect(await filesOnHub()).not.toContain(".made_cache");
  });
});

test("the token shows up nowhere: not in arguments, configuration, what is printed, or what git is told to keep", async () => {
  const kept = path.join(place, "kept");
  const seen = path.join(place, "seen");
  await writeFile(path.join(place, ".gitconfig"), `[credential]\n\thelper = "!cat >> ${kept}; true"\n`);
  const real = (await execa("which", ["git"])).stdout;
  await writeFile(path.join(place, "git"), `#!/bin/sh\necho "$@" >> ${seen}\nexec ${real} "$@"\n`);
  await chmod(path.join(place, "git"), 0o755);
  const { out, err, code } = await publish([], {}, { PATH: `${place}:${process.env.PATH}`, GIT_TRACE_CURL: seen });
  expect(code).toBe(0);
  expect(await readFile(seen, "utf8")).toContain("push");
  const texts = [out, err, await readFile(seen, "utf8"), await readFile(path.join(app, ".git/config"), "utf8")];
  expect(texts.join("\n")).not.toContain(TOKEN);
  expect(await readdir(place)).not.toContain("kept");
});
