import type { Command, Option } from "commander";
import { describe, expect, test } from "vitest";
import { PROGRAMS } from "../docs/testing/known-commands.ts";

/*
 * Every option of every command of the three programs, as commander knows them: a new one is tested as soon as it is
 * declared, and fails here until its values are checked.
 */

/** Texts that an option takes as they are, an empty one too, and addresses whose credentials no message may show. */
const FREE = ["--instruction", "--server-url"];
/** Bad values beside the blank one, of options or of a command's option. */
const WRONG: Record<string, string[]> = {
  "--port": ["abc", "70000", "-1", "1.5"],
  "--viewer-port": ["70000"],
  "--tcp": ["70000", "x"],
  "--grace-period": ["-1", "0", "121", "soon"],
  "--speed": ["0", "-1", "fast", "101"],
  "--seed": ["-1"],
  "hub --seed": [],
  "--fault": ["nonsense", "drop:rate=2", "stuck"],
  "--serialport": ["http://robot", "tcp://robot"],
  "--startup-app": ["my app", "../x"],
  "--host": ["http://127.0.0.1:8000", "a b"],
  "--allow-host": ["http://robot.lan"],
  "--hub-url": ["ftp://x", "huggingface"],
  "--server-url": ["localhost:8001", "http://"],
  "--log-level": ["loud"],
  "--timeout": ["0", "soon"],
};

const wrongOf = (path: string[], { long }: Option): string[] =>
  WRONG[[...path, long].join(" ")] ?? WRONG[String(long)] ?? [];

interface Line {
  path: string[];
  command: Command;
  option: Option;
}

/** All options with a value, with the commands that lead to them. */
function optionsOf(command: Command, path: string[] = []): Line[] {
  const own = command.options.filter((option) => option.required || option.optional);
  const inner = command.commands.flatMap((one) => optionsOf(one, [...path, one.name()]));
  return [...own.map((option) => ({ path, command, option })), ...inner];
}

/** What a command line prints before it is refused; the action never runs, because the arguments fit nothing. */
async function refusal(name: string, args: string[]): Promise<string> {
  const program = (await PROGRAMS[name]?.()) as Command;
  let text = "";
  const listen = (command: Command): void => {
    command.configureOutput({ writeErr: (part) => (text += part), writeOut: (part) => (text += part) }).exitOverride();
    command.action(() => expect.unreachable(`${name} ${args.join(" ")} is accepted`));
    for (const one of command.commands) listen(one);
  };
  listen(program);
  await expect(program.parseAsync(args, { from: "user" })).rejects.toMatchObject({ name: "CommanderError" });
  return text;
}

describe.each(Object.keys(PROGRAMS))("%s", async (name) => {
  const program = (await PROGRAMS[name]?.()) as Command;

  test.each(
    optionsOf(program)
      .filter(({ option }) => !FREE.includes(option.long ?? ""))
      .flatMap(({ path, option }) =>
        ["", ...wrongOf(path, option)].map((value) => [[...path, option.long].join(" "), value, path, option] as const),
      ),
  )("%s %j is refused with the value, what is allowed and an example", async (_, value, path, option) => {
    // With "=", since a value such as -1 would be read as an option of its own.
    const text = await refusal(name, [...path, `${option.long}=${value}`]);
    const shows =
      value === "" ? /argument '' is invalid|argument missing/ : new RegExp(`'${literal(value)}' is invalid`);
    expect(text).toMatch(shows);
    if (option.argChoices) for (const choice of option.argChoices) expect(text).toContain(choice);
    else expect(text).toMatch(new RegExp(`[Ff]or example ${option.long} \\S`));
  });

  test("each option with a value has a parser that checks it", () => {
    const known = optionsOf(program).map(({ option }) => option.long);
    expect(known.length).toBeGreaterThan(5);
    for (const { option } of optionsOf(program))
      if (!FREE.includes(option.long ?? "")) expect(option.parseArg, option.flags).toBeDefined();
  });
});

/** What the help of a command shows, with the texts before and after it. */
function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part), writeErr: (part) => (text += part) });
  command.outputHelp();
  return text;
}

const commandsIn = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsIn)];

test.each(Object.keys(PROGRAMS))("the help of %s and of each of its commands has an example", async (name) => {
  const program = (await PROGRAMS[name]?.()) as Command;
  const isGroup = (command: Command): boolean => command.commands.length > 0 && command !== program;
  const without = commandsIn(program).filter((each) => !isGroup(each) && !/\nExamples?:\n/.test(helpOf(each)));
  expect(without.map((each) => each.name())).toEqual([]);
});

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

test.each([
  [
    "robot-daemon",
    ["bogus"],
    /"bogus" is no command of robot-daemon\. The commands are install, list, .*link, uninstall, scan, setup-servo;/,
  ],
  ["robot-daemon", ["instal"], /Did you mean install\?/],
  ["robot-daemon", ["sim"], /Did you mean --sim\?/],
  ["robot-app-assistant", ["chekc"], /"chekc" is no command of robot-app-assistant\. Did you mean check\?/],
])("%s %j names the nearest command", async (name, args, message) => {
  const program = (await PROGRAMS[name]?.()) as Command;
  let text = "";
  const listen = (command: Command): void => {
    command.configureOutput({ writeErr: (part) => (text += part) }).exitOverride();
    for (const one of command.commands) listen(one);
  };
  listen(program);
  await expect(program.parseAsync(args, { from: "user" })).rejects.toMatchObject({ exitCode: 2 });
  expect(text).toMatch(message);
});
