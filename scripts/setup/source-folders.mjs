/** The folders with the TypeScript of the programs; docs/architecture.md explains them. */
export const SOURCE_FOLDERS = [
  "common",
  "robot",
  "ui",
  "sim",
  "daemon",
  "assistant",
  "conformance",
  "fixtures/hub/server",
];
