import { defineConfig } from "vite";
import { pageConfig } from "../ui/page-build/page-config.ts";

/** The daemon that `vite` in development talks to. */
const daemon = "http://127.0.0.1:8000";
/** The daemon refuses other origins, so requests are sent as its own. */
const proxy = { headers: { origin: daemon }, changeOrigin: true };

export default defineConfig(
  pageConfig({
    root: import.meta.dirname,
    outDir: "../dist/dashboard",
    server: {
      proxy: {
        "/api": { ...proxy, target: daemon },
        "/ws": { ...proxy, target: daemon.replace("http", "ws"), ws: true },
      },
    },
  }),
);
