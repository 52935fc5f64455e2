/** The port that the text of an http or https address names; null without one. URL itself drops the default port of a scheme. */
export function explicitPortOf(text: string): number | null {
  if (!URL.canParse(text)) return null;
  const [, port] = /^https?:\/\/[^/?#]+:(\d+)(?:[/?#]|$)/.exec(text) ?? [];
  return Number(port) >= 1 ? Number(port) : null;
}
