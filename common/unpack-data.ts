/**
 * Decodes what `embedData` embedded: base64 of gzip of JSON.
 * @throws Error when the text is damaged
 */
export async function unpack(base64: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(text).json();
}
