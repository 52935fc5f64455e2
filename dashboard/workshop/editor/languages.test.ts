import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { loadLanguage } from "./languages.ts";

test.each(["main.py", "PAGE.HTML", "notes", "a.constructor", "a.__proto__", "a.toString"])(
  "an editor takes the language of %s",
  async (name) => {
    const extensions = await loadLanguage(name);
    expect(() => EditorState.create({ doc: "text", extensions })).not.toThrow();
  },
);
