import { readdirSync } from "node:fs";

/** The folders with the TypeScript of the programs; docs/architecture.md explains them. */
export const SOURCE_FOLDERS = [
  "common",
  "robot",
  "ui",
  "sim",
  "daemon",
  "dashboard",
  "edit",
  "assistant",
  "conformance",
  "fixtures/hub/server",
  "programs",
];

/** The Python scripts of the programs and of their tests. */
export const PYTHON_SCRIPTS = ["common", "daemon", "conformance"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".py"))
    .map((file) => `${folder}/${file}`),
);
