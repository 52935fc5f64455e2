/** Control characters, and marks that change the direction of writing: both can make text look like other text. */
const CONTROL_CHARACTERS = /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** Text of an app or a model for a terminal: control characters are escaped, line feeds and tabs are kept. */
export function escapeControls(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/\r$/gm, "").replace(CONTROL_CHARACTERS, (unit) => (/[\n\t]/.test(unit) ? unit : escaped(unit)));
}
