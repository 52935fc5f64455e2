import { indentUnit } from "@codemirror/language";
import type { Extension } from "@codemirror/state";

/** By the extension of a file. A language is loaded when a file of it is shown. */
const LANGUAGES = new Map<string, () => Promise<Extension>>([
  ["py", async () => [(await import("@codemirror/lang-python")).python(), indentUnit.of("    ")]],
  ["html", async () => (await import("@codemirror/lang-html")).html()],
  ["css", async () => (await import("@codemirror/lang-css")).css()],
  ["js", async () => (await import("@codemirror/lang-javascript")).javascript()],
  ["json", async () => (await import("@codemirror/lang-json")).json()],
  ["md", async () => (await import("@codemirror/lang-markdown")).markdown()],
]);

/** The editor extension for the language of a file, by the file's extension; an empty one for an unknown language. */
export const loadLanguage = async (name: string): Promise<Extension> =>
  (await LANGUAGES.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "")?.()) ?? [];
