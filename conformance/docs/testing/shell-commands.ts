import type { Fence } from "./pages.ts";

/** One command of a shell text, with its words as the shell would pass them. */
interface ShellCommand {
  readonly words: readonly string[];
  /** Line in the page, from 1. */
  readonly line: number;
}

/** What stands for the output of a `$(command)`: a value that options for ports and files accept. */
const SUBSTITUTED = "/dev/pts/0";

/** The commands of a `sh` or `bash` block, or of a `console` block, where they begin with `$ `. */
export function commandsOf({ language, text, line }: Fence): ShellCommand[] {
  if (language === "console") return consoleLines(text).flatMap(([shell, offset]) => parseShell(shell, line + offset));
  return language === "sh" || language === "bash" ? parseShell(text, line) : [];
}

function consoleLines(text: string): [shell: string, offset: number][] {
  return text.split("\n").flatMap((line, offset) => (line.startsWith("$ ") ? [[line.slice(2), offset]] : []));
}

/**
 * Splits a shell text into commands at newlines, `;`, `&`, `&&`, `||` and `|`. Understands quotes, comments, continued
 * lines and `$(command)`, whose command is returned as well. Variables stay as they are; redirections are left out.
 */
export function parseShell(text: string, firstLine: number): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let [words, word, quote] = [[] as string[], null as string | null, ""];
  let line = firstLine;
  let commandLine = firstLine;
  const endWord = (): void => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = (): void => {
    endWord();
    const cleaned = withoutPrefixes(withoutRedirections(words));
    if (cleaned.length > 0) commands.push({ words: cleaned, line: commandLine });
    words = [];
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (word === null && words.length === 0) commandLine = line;
    if (sign === "\n") line += 1;
    if (sign === "\\" && quote !== "'") {
      at += 1;
      if (text.charAt(at) === "\n") line += 1;
      else word = (word ?? "") + text.charAt(at);
    } else if (quote !== "'" && text.startsWith("$(", at)) {
      const end = text.indexOf(")", at);
      commands.push(...parseShell(text.slice(at + 2, end), line));
      word = (word ?? "") + SUBSTITUTED;
      at = end;
    } else if (quote !== "") {
      if (sign === quote) quote = "";
      else word = (word ?? "") + sign;
    } else if (sign === "'" || sign === '"') {
      quote = sign;
      word ??= "";
    } else if (sign === "#" && word === null) {
      while (at + 1 < text.length && text.charAt(at + 1) !== "\n") at++;
    } else if (sign === "\n" && word === null && words.length === 0) {
      // An empty line.
    } else if (/[\n;&|]/.test(sign)) endCommand();
    else if (/\s/.test(sign)) endWord();
    else word = (word ?? "") + sign;
  }
  endCommand();
  return commands;
}

const withoutRedirections = (words: readonly string[]): string[] =>
  words.filter((word, index) => !/^\d?[<>]/.test(word) && !/^\d?[<>]+$/.test(words[index - 1] ?? ""));

/** Leaves out assignments of variables, `sudo` with its user, and `npx`. */
function withoutPrefixes(words: readonly string[]): readonly string[] {
  const [first = "", second] = words;
  if (/^\w+=/.test(first)) return withoutPrefixes(words.slice(1));
  if (first === "sudo") return withoutPrefixes(words.slice(second === "-u" ? 3 : 1));
  return first === "npx" ? words.slice(1) : words;
}
