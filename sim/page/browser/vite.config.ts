import { defineConfig } from "vite";
import { pageConfig } from "../../../ui/page-build/page-config.ts";

export default defineConfig(pageConfig({ root: import.meta.dirname, outDir: "../../../dist/sim-page" }));
