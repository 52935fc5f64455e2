import { extname } from "node:path";

const ALIASES: Readonly<Record<string, string>> = {
  py: "python",
  python3: "python",
  js: "javascript",
  ts: "typescript",
};

/** The canonical name of a language. */
export function languageName(lang: string): string {
  const name = lang.trim().toLowerCase();
  return ALIASES[name] ?? name;
}

const LANGUAGE_BY_EXTENSION: Readonly<Record<string, string>> = {
  ".py": "python",
  ".js": "javascript",
  ".mjs": "javascript",
  ".ts": "typescript",
  ".html": "html",
  ".css": "css",
  ".json": "json",
  ".toml": "toml",
  ".yaml": "yaml",
  ".yml": "yaml",
  ".md": "markdown",
  ".sh": "bash",
};

/** The name of a file's language, as it stands after a fence; "" for an unknown extension. */
export function languageOf(file: string): string {
  return LANGUAGE_BY_EXTENSION[extname(file).toLowerCase()] ?? "";
}
