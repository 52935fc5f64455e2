import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createRepo, downloadFile } from "@huggingface/hub";
import { execa } from "execa";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openWorkshop, SPACE, TOKEN, type Workshop } from "../publish/testing/workshop.ts";

let place: Workshop["place"];
let app: Workshop["app"];
let hub: Workshop["hub"];
let run: Workshop["run"];
let publish: Workshop["publish"];
let git: Workshop["git"];
let filesOnHub: Workshop["filesOnHub"];
let titlesOnHub: Workshop["titlesOnHub"];
let commitOnHub: Workshop["commitOnHub"];
beforeEach(async () => {
  const workshop = await openWorkshop();
  onTestFinished(() => workshop.close());
  ({ place, app, hub, run, publish, git, filesOnHub, titlesOnHub, commitOnHub } = workshop);
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
    await commitOnHub("NOTES.md", "from another machine");
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
