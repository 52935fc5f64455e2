/** A value in Rust's debug format: a bare word or number, a string literal, a list, or a named struct or tuple. */
export type DebugValue = string | DebugText | readonly DebugValue[] | DebugStruct;

/** A string literal, its escapes resolved. */
interface DebugText {
  text: string;
}

/** `Name { field: value }`, or `Name(item)` with its items in order. */
export interface DebugStruct {
  name: string;
  fields: Readonly<Record<string, DebugValue>>;
  items: readonly DebugValue[];
}

export const isText = (value: DebugValue): value is DebugText => typeof value === "object" && "text" in value;

export const isStruct = (value: DebugValue): value is DebugStruct => typeof value === "object" && "items" in value;

const TOKEN = /\s*([[\](){},:]|"(?:[^"\\]|\\[\s\S])*"|[^\s[\](){},:"]+)/y;
const ESCAPE = /\\(?:u\{([0-9a-f]+)\}|([\s\S]))/g;
const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "\0" };

/** Reads Rust's pretty debug format (`{:#?}`). @throws Error at text in another format */
export function readDebugFormat(source: string): DebugValue {
  const token = new RegExp(TOKEN);
  let next = "";
  const advance = (): string => {
    const taken = next;
    next = token.exec(source)?.[1] ?? "";
    return taken;
  };
  const expect = (wanted: string): void => {
    if (advance() !== wanted) throw new Error(`The parser's output has no ${wanted} before offset ${token.lastIndex}`);
  };
  const listUntil = (close: string): DebugValue[] => {
    const items: DebugValue[] = [];
    while (next !== close) {
      items.push(value());
      if (next === ",") advance();
    }
    expect(close);
    return items;
  };
  const fieldsUntilBrace = (): Record<string, DebugValue> => {
    const fields: Record<string, DebugValue> = {};
    while (next !== "}") {
      const name = advance();
      expect(":");
      fields[name] = value();
      if (next === ",") advance();
    }
    expect("}");
    return fields;
  };
  const value = (): DebugValue => {
    const first = advance();
    if (first === "[") return listUntil("]");
    if (first === "(") return listUntil(")");
    if (first.startsWith('"')) return { text: resolveEscapes(first) };
    if (!/^[^[\](){},:]/.test(first)) throw new Error(`The parser's output has ${first} before ${token.lastIndex}`);
    if (next !== "(" && next !== "{") return first;
    return advance() === "("
      ? { name: first, fields: {}, items: listUntil(")") }
      : { name: first, fields: fieldsUntilBrace(), items: [] };
  };
  advance();
  return value();
}

function resolveEscapes(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(ESCAPE, (_, code: string | undefined, letter: string) =>
      code === undefined ? (ESCAPED[letter] ?? letter) : String.fromCodePoint(Number.parseInt(code, 16)),
    );
}
