import {
  type CompletedCommand,
  caseBranches,
  functionName,
  type Values,
  valueOptionsOf,
  wordBranches,
  zshQuote,
} from "./command-tree.ts";

/** A completion script for zsh, to be sourced after `compinit`. Its `at` is the command's path: zsh's `path` is $PATH. */
export function zshScript(program: string, commands: readonly CompletedCommand[]): string {
  const name = functionName(program);
  const valued = valueOptionsOf(commands);
  return `${name}() {
  local at="" word="" i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    case "$at $word" in
${wordBranches(commands, "i=$((i + 1))", "at")}    esac
  done
  if ((i > CURRENT)); then
    case "$at $word" in
${caseBranches(valued.map(({ key, values }) => `"${key}") ${complete(values)} ;;`))}    esac
    return
  fi
  case "$at" in
${caseBranches(commands.map((command) => `"${command.path}") ${ofCommand(command)} ;;`))}  esac
}
compdef ${name} ${program}
`;
}

function ofCommand({ options, commands, values }: CompletedCommand): string {
  const flags = options.flatMap((option) => option.flags.map((flag) => describe(flag, option.description)));
  const words = commands.map((command) => describe(command.name, command.description));
  const lists = [
    `if [[ $PREFIX == -* ]]; then found=(${flags.join(" ")}); _describe option found; return; fi`,
    ...(words.length > 0 ? [`found=(${words.join(" ")}); _describe command found`] : []),
    complete(values),
  ];
  return lists.join("; ");
}

const describe = (word: string, description: string): string =>
  zshQuote(`${word.replaceAll(":", "\\:")}:${description}`);

function complete(values: Values): string {
  if (values === "files") return "_files";
  return values === "none" ? ":" : `compadd -- ${values.map(zshQuote).join(" ")}`;
}
