import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";

const above = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** The package's folder, seen from the sources as well as from their build in dist/. */
export const PACKAGE_FOLDER = basename(above) === "dist" ? dirname(above) : above;
