/** Folder of the published app with the files of its verdict. Digests and installs leave it out. */
export const VERDICT_FOLDER = "robot-app-verdict";

/** What the landing page says about the app's verdict. */
type VerdictNote = "certified" | "skipped";

const BEGIN = "<!-- robot-app-verdict: written by robot-app-assistant publish -->";
const END = "<!-- /robot-app-verdict -->";
const BLOCK = new RegExp(`[ \\t]*${escapePattern(BEGIN)}[\\s\\S]*?${escapePattern(END)}\\r?\\n?`);

const NOTES: Readonly<Record<VerdictNote, string>> = {
  certified: `<p class="robot-app-verdict"><a href="${VERDICT_FOLDER}/report.html"><img src="${VERDICT_FOLDER}/badge.svg" alt="Certified robot app: the report" /></a></p>`,
  skipped: '<p class="robot-app-verdict">Not certified: published with --skip-certify.</p>',
};

/** A landing page with a note on the verdict, in place of an earlier one: at the end of `main`, else of the page. */
export function withVerdictNote(page: string, note: VerdictNote): string {
  const plain = page.replace(BLOCK, "");
  const block = `${BEGIN}\n${NOTES[note]}\n${END}\n`;
  const at = ["</main>", "</body>", "</html>"].map((tag) => plain.toLowerCase().lastIndexOf(tag)).find((i) => i >= 0);
  if (at === undefined) return `${plain.replace(/\n?$/, "\n")}${block}`;
  const line = plain.lastIndexOf("\n", at) + 1;
  const start = /^[ \t]*$/.test(plain.slice(line, at)) ? line : at;
  return plain.slice(0, start) + block + plain.slice(start);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
