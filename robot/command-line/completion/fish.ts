import {
  type CompletedCommand,
  type CompletedOption,
  fishQuote,
  functionName,
  type Values,
  valueOptionsOf,
} from "./command-tree.ts";

/** A completion script for fish. */
export function fishScript(program: string, commands: readonly CompletedCommand[]): string {
  const isAt = `_${functionName(program)}_at`;
  const valued = valueOptionsOf(commands).map(({ key }) => fishQuote(key));
  const paths = commands.filter(({ path }) => path !== "").map(({ path }) => path);
  const lines = commands.flatMap((command) => linesOf(program, isAt, command));
  return `function ${isAt} --argument-names wanted
  set -l path ''
  set -l skip 0
  for word in (commandline -opc)[2..]
    if test $skip = 1
      set skip 0
    else if contains -- "$path $word" ${valued.join(" ")}
      set skip 1
    else if contains -- (string trim -- "$path $word") ${paths.map(fishQuote).join(" ")}
      set path (string trim -- "$path $word")
    end
  end
  test "$path" = "$wanted"
end
complete -c ${program} -f
${lines.join("\n")}
`;
}

/** The completions of a command. @param isAt function of the script: whether this command is being typed */
function linesOf(program: string, isAt: string, { path, options, commands, values }: CompletedCommand): string[] {
  const line = (rest: string): string => `complete -c ${program} -n ${fishQuote(`${isAt} ${fishQuote(path)}`)} ${rest}`;
  return [
    ...commands.map(({ name, description }) => line(`-a ${name} -d ${fishQuote(description)}`)),
    ...(values === "none" ? [] : [line(values === "files" ? "-F" : `-a ${fishQuote(values.join(" "))}`)]),
    ...options.map((option) => line(optionPart(option))),
  ];
}

function optionPart({ flags, description, values }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  return [...names, ...(values === null ? [] : [valuePart(values)]), `-d ${fishQuote(description)}`].join(" ");
}

function valuePart(values: Values): string {
  if (values === "files") return "-r -F";
  return values === "none" ? "-x" : `-x -a ${fishQuote(values.join(" "))}`;
}
