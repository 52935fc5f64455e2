import { defineConfig } from "vite";
import { singleFileConfig } from "../../../ui/page-build/page-config.ts";

export default defineConfig(singleFileConfig(import.meta.dirname, "../../../dist/report-page"));
