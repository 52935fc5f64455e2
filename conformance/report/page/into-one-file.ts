import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/** A browser opens no module script of another file from file://, so script and style go into the page. */
export function intoOneFile(): Plugin {
  return {
    name: "into-one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("The build has no index.html.");
      let script = "";
      let style = "";
      for (const [name, file] of Object.entries(bundle)) {
        if (file === page) continue;
        if (file.type === "chunk") script += file.code;
        else if (name.endsWith(".css")) style += String(file.source);
        else throw new Error(`${name} would stand beside the page; it must be part of it.`);
        delete bundle[name];
      }
      page.source = onePage(String(page.source), script, style);
    },
  };
}

/**
 * The page with its script and style in it, and a policy that lets nothing else run and nothing be fetched: a second
 * wall behind the escaping of what the app wrote.
 */
export function onePage(page: string, script: string, style: string): string {
  const code = escapedForScript(script);
  const digest = createHash("sha256").update(code).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${digest}'; style-src 'unsafe-inline'; img-src data:`;
  return page
    .replace(/\s*<script type="module"[^>]*src="[^"]*"[^>]*><\/script>/, "")
    .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
    .replace("<head>", () => `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`)
    .replace("</head>", () => `  <style>${style}</style>\n  </head>`)
    .replace("</body>", () => `  <script type="module">${code}</script>\n  </body>`);
}

/** `</script` would end the element and `<!--` change how it ends; in strings and patterns a backslash is the same. */
const escapedForScript = (code: string): string => code.replace(/<(?=\/script|!--)/gi, "\\x3C");
