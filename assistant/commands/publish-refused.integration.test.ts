import { appendFileSync } from "node:fs";
import { appendFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createRepo, downloadFile } from "@huggingface/hub";
import { execa } from "execa";
import { describe, expect } from "vitest";
import { publishApp } from "../publish/publish-app.ts";
import { type PublishFixture, SPACE, TOKEN, publishTest as test } from "../publish/testing/publish-fixture.ts";

const CHANGED = {
  code: "publish-refused",
  message: expect.stringContaining("my_app/main.py changed after the check. Publish again"),
};

/** Publishes an app whose author saves a key into its code meanwhile. */
function publishWithSave({ place, hub, app }: PublishFixture, during: "confirm" | "certify" | "upload") {
  const saveDuring = (stage: typeof during) => {
    if (stage === during) appendFileSync(path.join(app, "my_app/main.py"), `KEY = "hf_${"a".repeat(34)}"\n`);
  };
  return publishApp({
    ...{ folder: app, hubUrl: hub.url, pullRequest: false, private: false, skipCertify: false },
    confirm: async () => {
      saveDuring("confirm");
      return true;
    },
    certify: async ({ out }) => {
      await mkdir(out);
      saveDuring("certify");
    },
    onStage: (line) => {
      if (line.startsWith("created")) saveDuring("upload");
    },
    onReport: () => {},
    env: { PATH: process.env.PATH, HOME: place, HF_TOKEN: TOKEN, GIT_CONFIG_NOSYSTEM: "1" },
    signal: new AbortController().signal,
  });
}

test("nothing is committed when a file is saved after the certification", async ({ fixture }) => {
  await expect(publishWithSave(fixture, "upload")).rejects.toMatchObject(CHANGED);
  await expect(fixture.git("rev-parse", "--verify", "HEAD")).rejects.toThrow("Needed a single revision");
  expect(await fixture.git("ls-files")).toBe("");
  expect(await fixture.titlesOnHub()).toEqual(["initial commit"]);
});

describe("nothing is changed, here and on the hub,", () => {
  const unchanged = async (app: string) => expect(await readdir(app)).not.toContain(".git");

  test("when a MUST is not met, also one that the app's settings ignore", async ({ fixture: { app, publish } }) => {
    await rm(path.join(app, "style.css"));
    await appendFile(path.join(app, "pyproject.toml"), '\n[tool.robot.check]\nignore = ["PKG-001"]\n');
    const { out, err, code } = await publish();
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining("Not published: this is not yet a robot app"),
    });
    expect(out).toContain("✗ PKG-001");
    await unchanged(app);
  });

  test("when the app holds a secret", async ({ fixture: { app, publish } }) => {
    await writeFile(path.join(app, "notes.txt"), `token = hf_${"a".repeat(34)}`);
    expect(await publish()).toMatchObject({
      code: 1,
      err: expect.stringContaining("the app holds secrets"),
      out: expect.stringContaining("notes.txt:1"),
    });
    await unchanged(app);
  });

  test.for([
    { kind: "no", token: "", message: "Run hf auth login (or set HF_TOKEN) with a token that has Write permission" },
    { kind: "a read-only", token: "hf_local_read", message: "may only read. Run hf auth login" },
    { kind: "an unknown", token: "hf_guessed", message: "does not know this token. Run hf auth login" },
  ])("with $kind token", async ({ token, message }, { fixture: { publish, app } }) => {
    expect(await publish([], {}, { HF_TOKEN: token })).toMatchObject({
      code: 3,
      err: expect.stringContaining(message),
    });
    await unchanged(app);
  });

  test.for(["certify", "confirm"] as const)("when a file is saved during %s", async (stage, { fixture }) => {
    await expect(publishWithSave(fixture, stage)).rejects.toMatchObject(CHANGED);
    await unchanged(fixture.app);
  });

  test("when the hub does not answer", async ({ fixture: { hub, publish, app } }) => {
    await hub.close();
    expect(await publish()).toMatchObject({ code: 3, err: expect.stringContaining("does not answer (ECONNREFUSED)") });
    await unchanged(app);
  });

  test("when the token would reach the hub in clear text", async ({ fixture: { publish, app } }) => {
    expect(await publish(["--hub-url", "http://hub.example.com"])).toMatchObject({ code: 2 });
    expect(await publish(["--hub-url", "https://me:hf_x@hub.example.com"])).toMatchObject({ code: 2 });
    await unchanged(app);
  });

  test("when there is no such app", async ({ fixture: { run } }) => {
    expect(await run(["publish", "nowhere"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("does not exist"),
    });
  });

  test("when git is not installed", async ({ fixture: { place, publish, app } }) => {
    const err = expect.stringContaining("git is not installed");
    expect(await publish([], {}, { PATH: place })).toMatchObject({ code: 1, err });
    await unchanged(app);
  });

  test.for([
    { what: "a key", file: "notes.txt", text: `token = hf_${"a".repeat(34)}` },
    { what: "a file of keys", file: "deploy.pem", text: "-" },
  ])(
    "when an earlier commit holds $what that a later one deletes",
    async ({ file, text }, { fixture: { app, publish, git, titlesOnHub } }) => {
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
    },
  );

  test("when only a merge holds a secret, under a git configuration that changes every listing", async ({
    fixture: { app, place, publish, git, titlesOnHub },
  }) => {
    await writeFile(
      path.join(place, ".gitconfig"),
      "[diff]\n\tnoprefix = true\n\texternal = false\n\trenames = copies\n[color]\n\tui = always\n[log]\n\tshowSignature = true\n[core]\n\tquotePath = true\n",
    );
    await git("init", "--quiet", "--initial-branch=main");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "Start");
    await git("switch", "--quiet", "--create", "side");
    await git("commit", "--quiet", "--allow-empty", "--message", "Side");
    await git("switch", "--quiet", "main");
    await git("commit", "--quiet", "--allow-empty", "--message", "Main");
    await git("merge", "--quiet", "--no-ff", "--no-commit", "side");
    const secret = path.join(app, "my_app", "schlüssel.py");
    await writeFile(secret, `KEY = "hf_${"a".repeat(34)}"\n`);
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "Merge");
    await git("rm", "--quiet", secret);
    await git("commit", "--quiet", "--message", "Remove");
    const { code, err } = await publish();
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/commit \w{10} holds a secret \(my_app\/schlüssel\.py:1\)/),
    });
    expect(await titlesOnHub()).toEqual(["initial commit"]);
  });

  test("when git is too old to keep the token out of its arguments", async ({ fixture: { place, app, publish } }) => {
    await writeFile(path.join(place, "git"), "#!/bin/sh\necho git version 2.30.9\n", { mode: 0o755 });
    const err = expect.stringContaining("git 2.30.9 is too old: publishing needs git 2.31 or newer");
    expect(await publish([], {}, { PATH: `${place}:${process.env.PATH}` })).toMatchObject({ code: 1, err });
    await unchanged(app);
  });

  test("when the hub refuses the push, whose message is shown", async ({
    fixture: { place, app, publish, filesOnHub },
  }) => {
    await publish();
    const hook = path.join(place, "hub/spaces/maker/my_app.git/hooks/pre-receive");
    await writeFile(hook, "#!/bin/sh\necho 'It contains files larger than 10 MiB' >&2\nexit 1\n", { mode: 0o755 });
    await writeFile(path.join(app, "large.txt"), "large");
    const err = expect.stringContaining("It contains files larger than 10 MiB");
    expect(await publish()).toMatchObject({ code: 1, err });
    expect(await filesOnHub()).not.toContain("large.txt");
  });

  test("when the folder belongs to a larger repository", async ({ fixture: { place, publish, app } }) => {
    await execa("git", ["init", "--quiet"], { cwd: place });
    await execa("git", ["add", "my_app"], { cwd: place });
    expect(await publish()).toMatchObject({ code: 1, err: expect.stringContaining("is part of the git repository") });
    await unchanged(app);
  });

  test("when interrupted", async ({ fixture: { publish, app } }) => {
    const interrupt = new AbortController();
    const out = (text: string) => text.includes("passed") && interrupt.abort(new Error("Interrupted."));
    expect(await publish([], { signal: interrupt.signal, out })).toMatchObject({ code: 130, err: "" });
    await unchanged(app);
  });
});

describe("the content of the space is kept", () => {
  test("when it has commits that are not in the folder", async ({
    fixture: { app, publish, git, filesOnHub, commitOnHub },
  }) => {
    await publish();
    await commitOnHub("NOTES.md", "from another machine");
    await writeFile(path.join(app, "here.txt"), "here");
    const before = await git("rev-parse", "HEAD");
    const { err, code } = await publish();
    expect(code).toBe(1);
    expect(err).toContain("has commits that are not in this folder. Nothing was changed. Merge them first");
    expect(err).toContain("git pull --rebase origin main");
    expect(await git("rev-parse", "HEAD")).toBe(before);
    expect(await filesOnHub()).toContain("NOTES.md");

    await git("add", "--all");
    await git("commit", "--quiet", "--message", "Here");
    await git("pull", "--quiet", "--rebase", "origin", "main");
    expect(await publish()).toMatchObject({ code: 0 });
    expect(await filesOnHub()).toEqual(expect.arrayContaining(["NOTES.md", "here.txt"]));
  });

  test("when it is a different app of the same name", async ({ fixture: { hub, publish } }) => {
    const files = [{ path: "pyproject.toml", content: new Blob(["theirs"]) }];
    await createRepo({ repo: SPACE, sdk: "static", files, accessToken: TOKEN, hubUrl: hub.url });
    expect(await publish()).toMatchObject({
      code: 1,
      err: expect.stringContaining("exists already and is a different app"),
    });
    const theirs = await downloadFile({ repo: SPACE, path: "pyproject.toml", hubUrl: hub.url });
    expect(await theirs?.text()).toBe("theirs");
  });

  test("when git would publish a file that the check has not read", async ({
    fixture: { app, publish, git, filesOnHub },
  }) => {
    await publish();
    await writeFile(path.join(app, ".made_cache"), "made here");
    await git("add", "--force", ".made_cache");
    await git("commit", "--quiet", "--message", "Slip");
    expect(await publish()).toMatchObject({
      code: 1,
      err: expect.stringContaining("has not read: .made_cache. List"),
    });
    expect(await filesOnHub()).not.toContain(".made_cache");
  });
});
