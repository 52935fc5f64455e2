import {
  type CompletedCommand,
  caseBranches,
  functionName,
  type Values,
  valueOptionsOf,
  wordBranches,
} from "./command-tree.ts";

/**
 * A completion script for bash 4 or newer. Needs no other package. Bash splits `--option=value` into three words, because
 * `=` is in COMP_WORDBREAKS.
 */
export function bashScript(program: string, commands: readonly CompletedCommand[]): string {
  const name = functionName(program);
  const valued = valueOptionsOf(commands);
  return `${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path="" word="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$path $word" in
${wordBranches(commands, `((i++)); [[ \${COMP_WORDS[i]} != = ]] || ((i++))`, "path")}    esac
  done
  if ((i > COMP_CWORD)); then
    [[ $cur != = ]] || cur=""
    case "$path $word" in
${caseBranches(valued.map(({ key, values }) => `"${key}") ${complete(values)} ;;`))}    esac
    return
  fi
  case "$path" in
${caseBranches(commands.map((command) => `"${command.path}") ${ofCommand(command)} ;;`))}  esac
}
complete -o default -F ${name} ${program}
`;
}

function ofCommand({ options, commands, values }: CompletedCommand): string {
  const flags = options.flatMap((option) => option.flags).join(" ");
  const words = [...commands.map(({ name }) => name), ...(typeof values === "string" ? [] : values)];
  const noFiles = values === "files" ? "" : "compopt +o default; ";
  return `if [[ $cur == -* ]]; then compopt +o default; COMPREPLY=($(compgen -W "${flags}" -- "$cur")); else ${noFiles}COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$cur")); fi`;
}

/** Readline completes files where the reply is empty, unless that is switched off. */
function complete(values: Values): string {
  if (values === "files") return ":";
  if (values === "none") return "compopt +o default";
  return `compopt +o default; COMPREPLY=($(compgen -W "${values.join(" ")}" -- "$cur"))`;
}
