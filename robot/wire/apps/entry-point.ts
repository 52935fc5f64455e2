/** Names of Python may have letters of any script (https://docs.python.org/3/reference/lexical_analysis.html#identifiers). */
const NAME = "[_\\p{XID_Start}]\\p{XID_Continue}*";
const ENTRY_POINT = new RegExp(`^\\s*(${NAME}(?:\\.${NAME})*)\\s*:\\s*(${NAME})\\s*(?:\\[.*\\])?\\s*$`, "u");

/** Splits the value `module:Class` of an entry point; undefined for any other value. */
export function splitEntryPoint(value: unknown): { module: string; className: string } | undefined {
  if (typeof value !== "string") return undefined;
  const [, module, className] = ENTRY_POINT.exec(value) ?? [];
  return module === undefined || className === undefined ? undefined : { module, className };
}
