import { chmod, mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import path from "node:path";
import { downloadFile, spaceInfo } from "@huggingface/hub";
import { execa } from "execa";
import { describe, expect } from "vitest";
import { SPACE, TOKEN, publishTest as test } from "../publish/testing/publish-fixture.ts";

describe("an app that passes its check", () => {
  test("is published without the files that .gitignore lists", async ({
    fixture: { app, hub, publish, git, filesOnHub, titlesOnHub },
  }) => {
    await writeFile(path.join(app, ".env"), "KEY=1");
    await execa("python3", ["-m", "compileall", "-q", app]);
    const { out, err, code } = await publish();
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(out).toContain(
      "✓ passed the check\n✓ signed in as maker\n✓ not certified, as the app's page says\n✓ created ",
    );
    expect(out).toContain(`/bin/robot-daemon.mjs install ${hub.url}/spaces/maker/my_app --hub-url ${hub.url}\n`);
    expect((await filesOnHub()).sort()).toEqual([
      ".gitignore",
      ".vscode/extensions.json",
      ".vscode/launch.json",
      ".vscode/tasks.json",
      "AGENTS.md",
      "README.md",
      "index.html",
      "my_app/__init__.py",
      "my_app/main.py",
      "pyproject.toml",
      "style.css",
      "tests/motions/sway.txt",
      "tests/test_app.py",
      "tests/test_on_robot.py",
    ]);
    expect(await titlesOnHub()).toEqual(["Publish my_app", "initial commit"]);
    expect(await git("status", "--short", "--branch")).toBe("## main...origin/main");
  });

  test("is published again when it has changed, and only then", async ({
    fixture: { app, publish, filesOnHub, titlesOnHub },
  }) => {
    await publish();
    expect((await publish()).out).toContain("nothing to publish: the space is at");
    await writeFile(path.join(app, "my_app", "moves.py"), '"""Moves."""\n');
    expect((await publish(["-m", "Add moves"])).out).toContain("✓ published ");
    expect(await titlesOnHub()).toEqual(["Add moves", "Publish my_app", "initial commit"]);
    expect(await filesOnHub()).toContain("my_app/moves.py");
  });

  test("--json prints one object, and the stages go to the standard error", async ({ fixture: { hub, publish } }) => {
    const address = `${hub.url}/spaces/maker/my_app`;
    const { out, err } = await publish(["--json"]);
    expect(JSON.parse(out)).toMatchObject({ status: "published", address, pull_request: null });
    expect(err).toContain("✓ passed the check");
    expect(JSON.parse((await publish(["--json"])).out)).toMatchObject({ status: "unchanged", address });
  });

  test("keeps the commits of its author", async ({ fixture: { publish, git, filesOnHub, titlesOnHub } }) => {
    await git("init", "--quiet", "--initial-branch=work");
    await git("remote", "add", "origin", "https://example.com/elsewhere.git");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "By hand");
    expect(await publish()).toMatchObject({ err: "", code: 0 });
    // The note on the landing page is a commit of its own.
    expect((await titlesOnHub()).sort()).toEqual(["Begin the space", "By hand", "Publish my_app", "initial commit"]);
    expect(await filesOnHub()).toContain("my_app/main.py");
    expect(await git("remote")).toBe("origin\nspace");
    expect(await publish()).toMatchObject({ code: 0, out: expect.stringContaining("nothing to publish") });
  });

  test("may be in a folder of another repository that does not track it", async ({
    fixture: { place, app, publish, git },
  }) => {
    await execa("git", ["init", "--quiet"], { cwd: place });
    expect(await publish()).toMatchObject({ err: "", code: 0 });
    expect(await git("rev-parse", "--show-toplevel")).toBe(await realpath(app));
  });

  test("is published to the space that the folder was published to before, under any name", async ({
    fixture: { hub, publish, git },
  }) => {
    await publish();
    await git("remote", "set-url", "origin", `${hub.url}/spaces/tinkerer/other_name`);
    expect(await publish()).toMatchObject({ code: 3, err: expect.stringContaining("tinkerer/other_name") });
    await git("remote", "add", "space", `${hub.url}/spaces/maker/my_app.git`);
    expect(await publish()).toMatchObject({ code: 0, out: expect.stringContaining("nothing to publish") });
  });

  test("is published with its binary files, which the hub refuses over git", async ({
    fixture: { app, hub, publish, git, filesOnHub, titlesOnHub },
  }) => {
    const sound = path.join(app, "my_app", "hello.wav");
    const contentOnHub = async () => {
      const file = await downloadFile({ repo: SPACE, path: "my_app/hello.wav", hubUrl: hub.url });
      return Buffer.from((await file?.arrayBuffer()) ?? new ArrayBuffer(0));
    };
    await writeFile(sound, Buffer.from("RIFF\0\0\0\0WAVE"));
    expect(await publish()).toMatchObject({ err: "", code: 0, out: expect.stringContaining("✓ published ") });
    expect(await contentOnHub()).toEqual(await readFile(sound));
    expect(await filesOnHub()).toContain("my_app/main.py");
    expect(await titlesOnHub()).toEqual(["Publish my_app", "initial commit"]);
    expect(await publish()).toMatchObject({ err: "", code: 0, out: expect.stringContaining("nothing to publish") });

    await writeFile(path.join(app, "my_app", "moves.py"), '"""Moves."""\n');
    await git("rm", "--quiet", "--force", "style.css");
    await writeFile(path.join(app, "style.css"), "p {}\n");
    expect(await publish(["-m", "Add moves"])).toMatchObject({ err: "", code: 0 });
    expect(await titlesOnHub()).toEqual(["Add moves", "Publish my_app", "initial commit"]);
    expect(await filesOnHub()).toEqual(expect.arrayContaining(["my_app/moves.py", "my_app/hello.wav"]));
    await writeFile(sound, Buffer.from("RIFF\0\0\0\x01WAVE"));
    expect(await publish()).toMatchObject({ err: "", code: 0 });
    expect(await contentOnHub()).toEqual(await readFile(sound));
    expect(await git("status", "--short")).toBe("");
  });

  test("with binary files is not published over commits that are not in the folder", async ({
    fixture: { app, publish, git, commitOnHub, filesOnHub },
  }) => {
    await writeFile(path.join(app, "my_app", "hello.wav"), Buffer.from("RIFF\0\0\0\0WAVE"));
    await publish();
    await commitOnHub("NOTES.md", "from another machine");
    await writeFile(path.join(app, "here.txt"), "here");
    expect(await publish()).toMatchObject({
      code: 1,
      err: expect.stringContaining("has commits that are not in this"),
    });
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "Here");
    await git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main");
    expect(await publish()).toMatchObject({ err: "", code: 0 });
    expect(await filesOnHub()).toEqual(expect.arrayContaining(["NOTES.md", "here.txt", "my_app/hello.wav"]));
  });

  test("is published for an organisation of its author, and for no other owner", async ({
    fixture: { hub, publish, filesOnHub },
  }) => {
    expect(await publish(["--owner", "strangers"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("maker cannot publish for strangers. Organisations of maker: makers."),
    });
    const published = await publish(["--owner", "makers"]);
    expect(published).toMatchObject({ err: "", code: 0 });
    expect(published.out).toContain(`${hub.url}/spaces/makers/my_app`);
    expect((await spaceInfo({ name: "makers/my_app", hubUrl: hub.url })).name).toBe("makers/my_app");
    expect((await publish()).out).toContain("nothing to publish");
    await expect(filesOnHub()).rejects.toThrow();
  });

  test("opens a pull request on a space that it may not change", async ({
    fixture: { app, hub, run, publish, filesOnHub },
  }) => {
    expect(await publish(["--pull-request"])).toMatchObject({ code: 1, err: expect.stringContaining("needs a space") });
    await publish();
    await writeFile(path.join(app, "my_app", "hello.wav"), Buffer.from("RIFF\0\0\0\0WAVE"));
    const args = ["publish", "my_app", "--skip-certify", "--hub-url", hub.url, "--pull-request", "-m", "Say hello"];
    const { err, code, out } = await run(args, {}, { HF_TOKEN: "hf_local_visitor" });
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(out).toContain(`✓ opened a pull request\n\n${hub.url}/spaces/maker/my_app/discussions/1\n`);
    expect(await filesOnHub()).not.toContain("my_app/hello.wav");
    const proposed = { repo: SPACE, path: "my_app/hello.wav", revision: "refs/pr/1", hubUrl: hub.url };
    expect(await (await downloadFile(proposed))?.text()).toBe("RIFF\0\0\0\0WAVE");
  });

  test("is private with --private, which cannot be used on a public space", async ({
    fixture: { hub, run, publish },
  }) => {
    await publish(["--private"]);
    const space = await spaceInfo({ name: SPACE.name, accessToken: TOKEN, hubUrl: hub.url });
    expect(space.private).toBe(true);
    await run(["create", "open_app", ".", "--publish", "--hub-url", hub.url]);
    const again = await run(["publish", "open_app", "--skip-certify", "--private", "--hub-url", hub.url]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining("is public already") });
  });

  test("is published after a question on a terminal, unless --yes", async ({ fixture: { app, hub, publish } }) => {
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
    expect(questions).toEqual([`Publish my_app at ${hub.url}/spaces/maker/my_app (public)?`]);
  });
});

describe("the certification before publishing", () => {
  /** A package whose certification does this. */
  async function packageThat(place: string, script: string): Promise<{ packageFolder: string }> {
    const packageFolder = path.join(place, "package");
    await mkdir(path.join(packageFolder, "bin"), { recursive: true });
    const head = 'import { mkdirSync, writeFileSync } from "node:fs";\nconst out = process.argv.at(-1);\n';
    await writeFile(path.join(packageFolder, "bin/robot-app-assistant.mjs"), head + script);
    return { packageFolder };
  }

  test("puts the badge and the report beside the app, and links to them from its page", async ({
    fixture: { place, app, hub, run, filesOnHub },
  }) => {
    const write =
      'mkdirSync(out);\nfor (const name of ["badge.svg", "report.html"]) writeFileSync(out + "/" + name, name);';
    const passing = await packageThat(place, write);
    const { out, code } = await run(["publish", "my_app", "--hub-url", hub.url], passing);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("✓ certified\n") });
    expect(await filesOnHub()).toEqual(
      expect.arrayContaining(["robot-app-verdict/badge.svg", "robot-app-verdict/report.html"]),
    );
    expect(await readFile(path.join(app, "index.html"), "utf8")).toContain('<a href="robot-app-verdict/report.html">');
    expect((await run(["check", "my_app"])).code).toBe(0);
  });

  test("refuses an app that is not conformant with the findings, and publishes nothing", async ({
    fixture: { place, hub, run },
  }) => {
    const failing = await packageThat(place, 'console.log("✗ LIFE-003 SIGINT");\nprocess.exitCode = 1;');
    const { code, err } = await run(["publish", "my_app", "--hub-url", hub.url], failing);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/✗ LIFE-003 SIGINT\n[\s\S]*not conformant/) });
    await expect(spaceInfo({ name: SPACE.name, hubUrl: hub.url, accessToken: TOKEN })).rejects.toThrow();
  });
});

describe("create --publish", () => {
  test("creates and publishes the app", async ({ fixture: { hub, run } }) => {
    const made = await run(["create", "second", ".", "--publish", "--hub-url", hub.url]);
    expect(made).toMatchObject({ err: "", code: 0 });
    expect(made.out).toContain(`${hub.url}/spaces/maker/second`);
    const main = { repo: { type: "space", name: "maker/second" }, path: "second/main.py", hubUrl: hub.url } as const;
    expect(await (await downloadFile(main))?.text()).toContain("class SecondApp(RobotApp)");
  });

  test("keeps the app when publishing fails", async ({ fixture: { place, hub, run } }) => {
    const made = await run(["create", "second", ".", "--publish", "--hub-url", hub.url], {}, { HF_TOKEN: "" });
    expect(made).toMatchObject({ code: 3, err: expect.stringContaining("hf auth login") });
    expect(made.out).toContain("Created ");
    expect(await readdir(path.join(place, "second"))).toContain("pyproject.toml");
  });
});

test("the token is not in arguments, configuration, output or other credential helpers", async ({
  fixture: { place, app, publish },
}) => {
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
