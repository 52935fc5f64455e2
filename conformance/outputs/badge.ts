import type { DecidedVerdict } from "../verdict/verdict.ts";

const LABEL = "robot app";
const COLOURS = { conformant: "#2f7d4f", "not-conformant": "#b3382c" };
/** Width of a character of the badge's font in pixels, slightly more than most need. */
const CHARACTER_WIDTH = 7;
const MARGIN = 10;
const HEIGHT = 20;

function messageOf({ verdict, counts }: DecidedVerdict): string {
  if (verdict === "conformant") return `conformant, ${counts.pass} met`;
  return counts.fail > 0 ? `${counts.fail} not met` : "not conformant";
}

/** The badge as JSON for a shields.io endpoint (https://shields.io/badges/endpoint-badge). */
export function badgeJson(verdict: DecidedVerdict): string {
  const color = COLOURS[verdict.verdict];
  return `${JSON.stringify({ schemaVersion: 1, label: LABEL, message: messageOf(verdict), color })}\n`;
}

/** The badge as a picture. */
export function badgeSvg(verdict: DecidedVerdict): string {
  const message = messageOf(verdict);
  const [left, right] = [LABEL, message].map((text) => CHARACTER_WIDTH * text.length + 2 * MARGIN) as [number, number];
  const text = (at: number, words: string) =>
    `<text x="${at}" y="14" text-anchor="middle" fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${words}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${LABEL}: ${message}">`,
    `<title>${LABEL}: ${message}</title>`,
    `<clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="#444"/>`,
    `<rect x="${left}" width="${right}" height="${HEIGHT}" fill="${COLOURS[verdict.verdict]}"/></g>`,
    text(left / 2, LABEL),
    text(left + right / 2, message),
    "</svg>",
    "",
  ].join("\n");
}
