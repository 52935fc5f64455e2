import { extname } from "node:path";

/** Languages by their canonical name: other names after a fence, then file extensions. */
const LANGUAGES: Readonly<Record<string, { names?: string; extensions?: string }>> = {
  bash: { names: "sh shell zsh console shell-session", extensions: ".sh .bash" },
  css: { extensions: ".css" },
  html: { names: "htm xhtml", extensions: ".html .htm" },
  javascript: { names: "js jsx mjs cjs node", extensions: ".js .mjs .cjs .jsx" },
  json: { names: "jsonc json5", extensions: ".json" },
  markdown: { names: "md mdx", extensions: ".md" },
  python: { names: "py python3 py3", extensions: ".py .pyi" },
  text: { names: "txt plain plaintext" },
  toml: { extensions: ".toml" },
  typescript: { names: "ts tsx mts cts", extensions: ".ts .tsx .mts" },
  yaml: { names: "yml", extensions: ".yaml .yml" },
};
/** Names of languages without anything to know about them, and the canonical names. */
const KNOWN = new Set(
  (
    "ada asm assembly awk batch c c# c++ clojure cmake cpp csharp csv cs cuda cython d dart diff docker dockerfile elixir elm " +
    "erlang f# fish fortran fsharp glsl go golang gradle graphql groovy haskell hcl ini java jinja jl julia kotlin latex less " +
    "lisp lua makefile make matlab mojo nginx nim nix objc objective-c ocaml pascal perl php postgresql powershell prolog " +
    "properties proto protobuf ps1 r racket rb rs rst ruby rust sass scala scheme scss smalltalk solidity sql svelte svg " +
    "swift tcl terraform tex toml vb verilog vhdl vue wasm xml zig"
  )
    .split(" ")
    .concat(Object.keys(LANGUAGES)),
);

const split = (list = "") => list.split(" ").filter((each) => each !== "");
const invert = (part: "names" | "extensions") =>
  new Map(
    Object.entries(LANGUAGES).flatMap(([name, each]) => split(each[part]).map((other) => [other, name] as const)),
  );
const BY_NAME = invert("names");
const BY_EXTENSION = invert("extensions");

/** The canonical name of a language. */
export function languageName(lang: string): string {
  const name = lang.trim().toLowerCase();
  return BY_NAME.get(name) ?? name;
}

/** Whether a canonical name is that of a language, rather than a word of code behind a fence. */
export const isKnownLanguage = (name: string) => KNOWN.has(name);

/** The name of a file's language, as it stands after a fence; "" for an unknown extension. */
export function languageOfFile(file: string): string {
  return BY_EXTENSION.get(extname(file).toLowerCase()) ?? "";
}
