import { defineConfig } from "vite";

/** Puts the robot's model and the part of three.js that it needs into one module for Node. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: "../../../dist/film-renderer",
    emptyOutDir: true,
    target: "node20",
    ssr: "index.ts",
    rollupOptions: { output: { entryFileNames: "index.js" } },
    minify: true,
  },
  ssr: { noExternal: true },
});
