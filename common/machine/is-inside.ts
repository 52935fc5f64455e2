import { sep } from "node:path";

/**
 * Whether a path is a folder or lies below it, by their texts. Where links may lead elsewhere, both come from `realpath`.
 * @param folder absolute, without a separator at its end
 */
export const isInside = (folder: string, path: string): boolean => path === folder || path.startsWith(folder + sep);
