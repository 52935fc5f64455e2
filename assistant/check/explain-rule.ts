import type { Rule, RuleExample } from "./requirement.ts";

/** What `check --explain` prints of a rule. */
export function explainRule({ id, level, section, title, explanation, example, fixes }: Rule, colour: boolean): string {
  const bold = (text: string) => (colour ? `\x1b[1m${text}\x1b[0m` : text);
  const fix = fixes === undefined ? "A person has to fix it." : `check --fix ${fixes}.`;
  return [
    bold(`${id}  ${title}`),
    `${level}, section ${section} of the app contract`,
    "",
    ...wrap(explanation),
    "",
    bold(`Wrong, in ${example.file}:`),
    ...indented(wrongText(example)),
    bold("Right:"),
    ...indented(example.right),
    "",
    ...wrap(fix),
    "",
  ].join("\n");
}

/** One line for each rule, for `check --list`. */
export function listRules(rules: readonly Rule[]): string {
  return rules
    .map(({ id, level, title, fix }) => `${id}  ${level.padEnd(6)}  ${fix === undefined ? "   " : "fix"}  ${title}\n`)
    .join("");
}

/** The text that the rule refuses, or that the file is missing. */
export const wrongText = ({ wrong }: RuleExample): string => wrong ?? "(the file is missing)";
const indented = (text: string): string[] => text.split("\n").map((line) => `    ${line}`);

const WIDTH = 100;

function wrap(text: string): string[] {
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}
