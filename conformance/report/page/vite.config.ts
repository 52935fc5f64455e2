import { defineConfig } from "vite";
import { pageConfig } from "../../../ui/page-build/page-config.ts";
import { singleFile } from "../../../ui/page-build/single-file.ts";

export default defineConfig(
  pageConfig({
    root: import.meta.dirname,
    outDir: "../../../dist/report-page",
    build: { modulePreload: false, cssCodeSplit: false },
    plugins: [singleFile()],
  }),
);
