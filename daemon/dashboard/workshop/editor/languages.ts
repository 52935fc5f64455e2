import { indentUnit } from "@codemirror/language";
import type { Extension } from "@codemirror/state";

/** Each loads when a file needs it. */
const LANGUAGES = new Map<string, () => Promise<Extension>>([
  ["py", async () => [(await import("@codemirror/lang-python")).python(), indentUnit.of("    ")]],
  ["html", async () => (await import("@codemirror/lang-html")).html()],
  ["css", async () => (await import("@codemirror/lang-css")).css()],
  ["js", async () => (await import("@codemirror/lang-javascript")).javascript()],
  ["json", async () => (await import("@codemirror/lang-json")).json()],
  ["md", async () => (await import("@codemirror/lang-markdown")).markdown()],
]);

/** The language of a file, by the end of its name; none for an unknown one. */
export const loadLanguage = async (name: string): Promise<Extension> =>
  (await LANGUAGES.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "")?.()) ?? [];
