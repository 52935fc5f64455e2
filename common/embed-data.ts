import { gzipSync } from "node:zlib";

/**
 * A built page with data in it, as one HTML file that opens without a server or a network. `unpack` of unpack-data.ts reads it.
 * @param page with the comment `<!-- NAME -->`, which the page's build leaves in place, where the data goes
 * @param name also the id of the element with the data
 * @throws Error when the page has no such comment, or more than one
 */
export function embedData(page: string, name: string, data: unknown): string {
  const place = `<!-- ${name} -->`;
  const parts = page.split(place);
  if (parts.length !== 2) throw new Error(`The page must have ${place} once, not ${parts.length - 1} times.`);
  // Base64 has no sign that HTML knows, so no text in the data can leave the element.
  const packed = gzipSync(JSON.stringify(data), { level: 9 }).toString("base64");
  return parts.join(`<script type="application/gzip" id="${name}">${packed}</script>`);
}
