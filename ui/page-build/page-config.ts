import { readFileSync } from "node:fs";
import type { Plugin, PluginOption, UserConfig } from "vite";
import { singleFile } from "./single-file.ts";

interface PageOptions {
  /** Folder of index.html. */
  root: string;
  /** Folder of the built page, relative to `root`. */
  outDir: string;
  plugins?: PluginOption[];
  build?: UserConfig["build"];
  server?: UserConfig["server"];
}

/** The Vite configuration that the pages share. */
export function pageConfig({ root, outDir, plugins = [], build, server = {} }: PageOptions): UserConfig {
  return {
    root,
    base: "./",
    // The viewer is larger than Vite's default limit of 500 kB.
    build: { outDir, emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 1000, ...build },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    plugins: [sharedHead(), ...plugins],
    server,
  };
}

/**
 * The Vite configuration of a page that is one HTML file, which opens without a server.
 * @param root folder of index.html
 * @param outDir folder of the built page, relative to `root`
 */
export const singleFileConfig = (root: string, outDir: string): UserConfig =>
  pageConfig({ root, outDir, build: { modulePreload: false, cssCodeSplit: false }, plugins: [singleFile()] });

/** Adds the elements that every page has in its head. */
function sharedHead(): Plugin {
  const icon = readFileSync(new URL("../theme/icon.svg", import.meta.url), "utf8");
  const meta = (name: string, content: string) => ({ tag: "meta", attrs: { name, content } });
  return {
    name: "shared-head",
    transformIndexHtml: () => [
      { tag: "meta", attrs: { charset: "utf-8" }, injectTo: "head-prepend" },
      { ...meta("viewport", "width=device-width, initial-scale=1, viewport-fit=cover"), injectTo: "head-prepend" },
      { ...meta("color-scheme", "light dark"), injectTo: "head" },
      {
        tag: "link",
        attrs: { rel: "icon", type: "image/svg+xml", href: `data:image/svg+xml,${encodeURIComponent(icon)}` },
        injectTo: "head",
      },
    ],
  };
}
