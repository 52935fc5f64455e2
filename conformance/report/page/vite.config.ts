import { defineConfig } from "vite";
import { intoOneFile } from "./into-one-file.ts";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  build: {
    outDir: "../../../dist/report-page",
    emptyOutDir: true,
    target: "es2022",
    // three alone is larger than Vite's default.
    chunkSizeWarningLimit: 1000,
    modulePreload: false,
    cssCodeSplit: false,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [intoOneFile()],
});
