import { spawnSync } from "node:child_process";
import { Argument, Command, Option } from "commander";
import { describe, expect, test } from "vitest";
import { bashScript } from "./bash.ts";
import { commandsOf } from "./command-tree.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

/** A program with all that the scripts know: nested commands, choices, files, options of the program behind a command. */
function program(): Command {
  const robo = new Command("my-robo")
    .version("1")
    .helpCommand(true)
    .option("--port <number>", "a port; it's free")
    .option("--data-dir <folder>", "a folder")
    .action(() => {});
  robo.addOption(new Option("--secret").hideHelp());
  robo.command("install").description("install: an app").argument("<source>", "a folder");
  const model = robo.command("model").description("models");
  model
    .command("serve")
    .description("serve one")
    .addOption(new Option("-f, --fault <name>", "a fault").choices(["slow", "hang"]));
  robo.command("completion").addArgument(new Argument("<shell>").choices(["bash", "zsh"]));
  return robo;
}

/** The tests of a shell. Without the shell they are skipped, and the title says why. */
function describeShell(shell: string, tests: () => void): void {
  const isInstalled = spawnSync(shell, ["-c", "exit 0"]).status === 0;
  describe.runIf(isInstalled)(isInstalled ? shell : `${shell} (skipped: it is not installed)`, tests);
}

/** Typed words, the last one unfinished, and what a shell offers for it. */
const CASES: readonly [typed: string, offered: string[]][] = [
  ["my-robo ", ["completion", "help", "install", "model"]],
  ["my-robo in", ["install"]],
  ["my-robo --p", ["--port"]],
  ["my-robo --port ", []],
  ["my-robo --port 80 mo", ["model"]],
  ["my-robo install --da", ["--data-dir"]],
  ["my-robo model ", ["help", "serve"]],
  ["my-robo model serve --f", ["--fault"]],
  ["my-robo model serve --fault ", ["hang", "slow"]],
  ["my-robo model serve -f h", ["hang"]],
  ["my-robo completion ", ["bash", "zsh"]],
  ["my-robo --sec", []],
];

/** What bash makes of `--option=value`: it splits a word at `=`. */
const BASH_CASES: typeof CASES = [
  ["my-robo model serve --fault =", ["hang", "slow"]],
  ["my-robo model serve --fault = h", ["hang"]],
  ["my-robo --port = 80 mo", ["model"]],
  ["my-robo --port = ", []],
];

/** Runs in a folder without files, so that completed files do not count. */
const run = (shell: string, args: string[]): string[] => {
  const { stdout, stderr } = spawnSync(shell, args, { encoding: "utf8", cwd: "/proc/self/fdinfo", timeout: 60_000 });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
};

describeShell("bash", () => {
  const script = bashScript("my-robo", commandsOf(program()));

  test.each([...CASES, ...BASH_CASES])("%j offers %j", (typed, offered) => {
    const words = typed.split(" ").map((word) => `'${word}'`);
    const ask = `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; compopt() { :; }
      _my_robo; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(run("bash", ["--norc", "-c", `${script}\n${ask}`]).sort()).toEqual(offered);
  });

  test("scripts of several programs stand in one shell", () => {
    const both = script + bashScript("other", commandsOf(program()));
    expect(run("bash", ["--norc", "-c", `${both}\ncomplete -p my-robo other`])).toHaveLength(2);
  });
});

describeShell("fish", () => {
  const script = fishScript("my-robo", commandsOf(program()));

  test.each(CASES)("%j offers %j", (typed, offered) => {
    const lines = run("fish", ["--no-config", "-c", `${script}\ncomplete -C ${JSON.stringify(typed)}`]);
    const words = lines.map((line) => line.split("\t")[0] ?? "").filter((word) => word !== "-h" && word !== "--help");
    expect(words.filter((word) => !/^\d+$/.test(word)).sort()).toEqual(offered);
  });
});

describeShell("zsh", () => {
  const script = zshScript("my-robo", commandsOf(program()));

  test("accepts the script", () => {
    expect(run("zsh", ["-f", "-c", `compdef() { print -- "$@"; }\n${script}`])).toEqual(["_my_robo my-robo"]);
  });

  test.each(CASES)("%j offers %j", (typed, offered) => {
    const words = typed.split(" ").map((word) => `'${word}'`);
    // In place of zsh's completion system, which only works at a prompt: words that begin with what is typed.
    const system = `compdef() { :; }; _files() { :; }
      offer() { local each; for each in "$@"; do if [[ $each == "$PREFIX"* ]]; then print -r -- "$each"; fi; done; }
      compadd() { shift; offer "$@"; }
      _describe() { offer "\${found[@]%%:*}"; }`;
    const ask = `words=(${words.join(" ")}); CURRENT=${words.length}; PREFIX=${words.at(-1)}; _my_robo`;
    expect(run("zsh", ["-f", "-c", `${system}\n${script}\n${ask}`]).sort()).toEqual(offered);
  });
});
