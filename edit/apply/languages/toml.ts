import { parse, TomlError } from "smol-toml";
import type { SyntaxFault } from "../../../common/syntax-fault.ts";

export function tomlSyntaxErrors(source: string): SyntaxFault[] {
  try {
    parse(source.replace(/^\uFEFF/, ""));
    return [];
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = ""] = error.message.split("\n");
    return [{ line: error.line, message: `${first}.` }];
  }
}
