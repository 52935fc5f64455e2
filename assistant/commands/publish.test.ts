import { chmod, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import path from "node:path";
import { downloadFile, spaceInfo } from "@huggingface/hub";
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
beforeEach(async () => {
  const workshop = await openWorkshop();
  onTestFinished(() => workshop.close());
  ({ place, app, hub, run, publish, git, filesOnHub, titlesOnHub } = workshop);
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

  test("may stand in a repository of something else that does not track it", async () => {
    await execa("git", ["init", "--quiet"], { cwd: place });
    expect(await publish()).toMatchObject({ err: "", code: 0 });
    expect(await git("rev-parse", "--show-toplevel")).toBe(await realpath(app));
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
