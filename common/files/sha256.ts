import { createHash } from "node:crypto";

/** The SHA-256 digest of a content as 64 hexadecimal digits; a text counts as UTF-8. */
export const sha256 = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");
