import { gzipSync } from "node:zlib";

/**
 * Puts data into a built page. Returns one HTML file that opens without a server or a network; `unpack` of unpack-data.ts reads
 * the data.
 * @param page a page with the comment `<!-- NAME -->` where the data goes
 * @param name of the comment, and the id of the element with the data
 * @param data a value that JSON can hold
 * @throws Error when the page has no such comment, or more than one
 */
export function embedData(page: string, name: string, data: unknown): string {
  const place = `<!-- ${name} -->`;
  const parts = page.split(place);
  if (parts.length !== 2) throw new Error(`The page must have ${place} once, not ${parts.length - 1} times.`);
  // Base64 has no character with a meaning in HTML, so no text in the data can end the element.
  const packed = gzipSync(JSON.stringify(data), { level: 9 }).toString("base64");
  return parts.join(`<script type="application/gzip" id="${name}">${packed}</script>`);
}
