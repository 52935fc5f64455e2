import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  build: {
    outDir: "../../../dist/sim-page",
    emptyOutDir: true,
    target: "es2022",
    // three alone is larger than Vite's default.
    chunkSizeWarningLimit: 900,
  },
});
