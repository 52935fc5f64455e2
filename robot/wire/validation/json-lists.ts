import { WorkbenchError } from "../errors.ts";
import { parseJson } from "./parse-json.ts";

/** Characters of the longest item; of a recorded move one has about 500. */
const MAX_ITEM = 100_000;
/** Levels of lists and objects in an item. */
const MAX_DEPTH = 50;
/** Characters that are parsed without a pause: about 5 ms. */
const WITHOUT_PAUSE = 250_000;

// Bounded: the engine remembers each character of a repetition, and throws a RangeError after some millions.
const SPACE = /[ \t\r\n]{1,1000}/y;
/** What is neither a string nor a bracket: the rest of a number, a word, commas and colons. */
const PLAIN = /[^"[\]{}]{1,1000}/y;
const SCALAR = /[^",:[\]{} \t\r\n]{1,1000}/y;

/** What a large text is parsed with. */
interface JsonListsOptions {
  /** Of the text, for messages. */
  name: string;
  /** Items of the longest list. */
  maxItems: number;
  /** Is awaited again and again, so that others have their turn. */
  pause: () => Promise<void>;
}

/**
 * Parses a JSON object with long lists, as `JSON.parse` does, but item by item: parsing megabytes at once holds up
 * everything else.
 * @throws WorkbenchError `bad-request` for what is not JSON, no object, deeper than 50 levels, or with lists or items that
 *   are too long
 */
export async function parseJsonLists(text: string, options: JsonListsOptions): Promise<Record<string, unknown>> {
  return new ListParser(text, options).parse();
}

class ListParser {
  readonly #text: string;
  readonly #options: JsonListsOptions;
  #at = 0;
  #pausedAt = 0;

  constructor(text: string, options: JsonListsOptions) {
    this.#text = text;
    this.#options = options;
  }

  async parse(): Promise<Record<string, unknown>> {
    const { name } = this.#options;
    const fields: [string, unknown][] = [];
    this.#expect("{", name);
    for (let isFirst = true; !this.#ends("}", isFirst, name); isFirst = false) {
      if (fields.length >= MAX_DEPTH) throw this.#error(`${name} has more than ${MAX_DEPTH} fields`);
      const key = this.#item(name);
      if (typeof key !== "string") throw this.#error(`${name} is not JSON: a field has no name`);
      this.#expect(":", name);
      const isList = this.#next() === "[";
      fields.push([key, isList ? await this.#list(`${name}.${key}`) : this.#item(`${name}.${key}`)]);
    }
    if (this.#next() !== "") throw this.#error(`${name} is not JSON: it goes on after its end`);
    return Object.fromEntries(fields);
  }

  async #list(name: string): Promise<unknown[]> {
    const { maxItems, pause } = this.#options;
    const items: unknown[] = [];
    this.#expect("[", name);
    for (; !this.#ends("]", items.length === 0, name); items.push(this.#item(`${name}[${items.length}]`))) {
      if (items.length >= maxItems) throw this.#error(`${name} has more than ${maxItems} items`);
      if (this.#at - this.#pausedAt < WITHOUT_PAUSE) continue;
      await pause();
      this.#pausedAt = this.#at;
    }
    return items;
  }

  /** Whether a list or an object ends here; else takes the comma before its next item. */
  #ends(bracket: string, isFirst: boolean, name: string): boolean {
    const next = this.#next();
    if (next === bracket) this.#at += 1;
    else if (!isFirst) this.#expect(",", name);
    return next === bracket;
  }

  #item(name: string): unknown {
    this.#next();
    const start = this.#at;
    let depth = 0;
    do {
      const character = this.#text[this.#at];
      if (character === "[" || character === "{") depth += 1;
      else if (character === "]" || character === "}") depth -= 1;
      if (depth > MAX_DEPTH) throw this.#error(`${name} is more than ${MAX_DEPTH} levels deep`);
      if (character === '"') this.#skipString();
      else if (depth === 0 && this.#at === start) this.#skip(SCALAR);
      else this.#at += 1;
      if (depth > 0) this.#skip(PLAIN);
      if (this.#at - start > MAX_ITEM) throw this.#error(`${name} has more than ${MAX_ITEM / 1000} KB`);
    } while (depth > 0 && this.#at < this.#text.length);
    return parseJson(this.#text.slice(start, this.#at), name);
  }

  #expect(character: string, name: string): void {
    const next = this.#next();
    if (next === character) this.#at += 1;
    else {
      const seen = next === "" ? "its end" : JSON.stringify(next);
      throw this.#error(
        `${name} is not JSON of the right kind: ${seen} is in the place of ${JSON.stringify(character)}`,
      );
    }
  }

  /** The next character that is no space; "" at the end. */
  #next(): string {
    this.#skip(SPACE);
    return this.#text[this.#at] ?? "";
  }

  /** Goes behind all that matches, if anything does. */
  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    while (pattern.test(this.#text)) this.#at = pattern.lastIndex;
  }

  #skipString(): void {
    let end = this.#at;
    let backslashes: number;
    do {
      end = this.#text.indexOf('"', end + 1);
      if (end - this.#at > MAX_ITEM) break;
      for (backslashes = 0; this.#text[end - 1 - backslashes] === "\\"; ) backslashes += 1;
    } while (backslashes % 2 === 1);
    this.#at = end === -1 ? this.#text.length : end + 1;
  }

  #error(what: string): WorkbenchError {
    return new WorkbenchError("bad-request", `${what}.`);
  }
}
