import { defineConfig } from "vite";
import { pageConfig } from "../../../ui/page-build/page-config.ts";
import { singleFile } from "./single-file/single-file.ts";

export default defineConfig(
  pageConfig({
    root: import.meta.dirname,
    outDir: "../../../dist/report-page",
    build: { modulePreload: false, cssCodeSplit: false },
    plugins: [singleFile()],
  }),
);
