import { defineConfig } from "vite";

/** The daemon that `vite` in development talks to. */
const daemon = "http://127.0.0.1:8000";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  build: {
    outDir: "../../dist/dashboard",
    emptyOutDir: true,
    target: "es2022",
    // three alone is larger than Vite's default; it loads after the page stands.
    chunkSizeWarningLimit: 700,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  server: {
    // The daemon refuses other origins, so requests pass as its own.
    proxy: {
      "/api": { target: daemon, headers: { origin: daemon }, changeOrigin: true },
      "/ws": { target: daemon.replace("http", "ws"), headers: { origin: daemon }, changeOrigin: true, ws: true },
    },
  },
});
