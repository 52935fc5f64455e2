// Another site can lead a person to a page, and to nothing else: some reads write what they find.
import type { Attack } from "../../attack.ts";
import { sendRaw } from "../../attack-tools.ts";

const NAVIGATION = "sec-fetch-site: cross-site\r\nsec-fetch-mode: navigate\r\nsec-fetch-dest: document\r\n";
const PAGES = ["/", "/docs", "/errors/x"];

export default {
  title: "another site leads a browser to each route that reads",
  async run({ daemon, row }) {
    const { paths } = await daemon.get("/openapi.json");
    const reads = Object.keys(paths)
      .filter((path) => paths[path].get !== undefined)
      .map((path) => path.replaceAll(/\{[^}]+\}/g, "x"));
    const statusOf = async (path: string) =>
      Number((await sendRaw(daemon.url, `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${NAVIGATION}\r\n`)).split(" ")[1]);
    const answered = [];
    for (const path of reads) if ((await statusOf(path)) !== 403) answered.push(path);
    const strays = answered.filter((path) => !PAGES.includes(path));
    row(`of ${reads.length} routes answered`, strays.join(" ") || "none", "none but pages", strays.length === 0);
    const refused = [];
    for (const path of PAGES) if ((await statusOf(path)) === 403) refused.push(path);
    row("pages that were refused", refused.join(" ") || "none", "none", refused.length === 0);
  },
} satisfies Attack;
