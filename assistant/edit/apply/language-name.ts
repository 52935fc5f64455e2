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
