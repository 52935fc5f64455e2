// Reads a Containerfile, as far as this project's needs it: one stage, variables, continued lines.
import { readFileSync } from "node:fs";

/** @typedef {{ name: string, value: string }} Instruction */

/** @param {string} file @returns {Instruction[]} */
export function readContainerfile(file) {
  const text = readFileSync(file, "utf8")
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "");
  return text.split("\n").flatMap((line) => {
    const [, name, value] = /^(\w+)\s+(.+)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
}

/** The values of all instructions of a name. @param {Instruction[]} instructions @param {string} name */
export const valuesOf = (instructions, name) =>
  instructions.filter((one) => one.name === name).map(({ value }) => value);

/** The words of an instruction in its JSON form, which no shell reads. @param {string} value @returns {string[]} */
export const wordsOf = (value) => JSON.parse(value.slice(value.indexOf("[")));
