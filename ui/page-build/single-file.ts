import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/** Puts script and style into the page: from file://, browsers load no module script of another file. */
export function singleFile(): Plugin {
  return {
    name: "single-file",
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
        else throw new Error(`${name} would be a file of its own; import it with ?inline.`);
        delete bundle[name];
      }
      page.source = inlineAssets(String(page.source), script, style);
    },
  };
}

/**
 * The page with its script and style in it, and a Content-Security-Policy that allows no other script and no request: a
 * second defence behind the escaping of the app's texts.
 */
export function inlineAssets(page: string, script: string, style: string): string {
  const code = escapeScript(script);
  const digest = createHash("sha256").update(code).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${digest}'; style-src 'unsafe-inline'; img-src data:`;
  return page
    .replace(/\s*<script type="module"[^>]*src="[^"]*"[^>]*><\/script>/, "")
    .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
    .replace("<head>", () => `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`)
    .replace("</head>", () => `  <style>${style}</style>\n  </head>`)
    .replace("</body>", () => `  <script type="module">${code}</script>\n  </body>`);
}

/** `</script` would end the element and `<!--` change how it ends; in strings and patterns the escape means the same. */
const escapeScript = (code: string): string => code.replace(/<(?=\/script|!--)/gi, "\\x3C");
