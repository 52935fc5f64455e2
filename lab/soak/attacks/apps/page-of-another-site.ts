// The settings page of an app answers its own address only: another site must not read or change anything through it.
import { until } from "../../../bench/daemon.ts";
import type { Attack } from "../../attack.ts";
import { sendRaw } from "../../attack-tools.ts";

export default {
  title: "another site requests the page of an app",
  async run({ daemon, row }) {
    await daemon.post("/api/apps/start-app/hello_robot");
    const page = await until("the app has a page", 30_000, async () => {
      const { info } = await daemon.get("/api/apps/current-app-status");
      return info?.extra?.custom_app_url;
    });
    const url = String(page).replace("localhost", "127.0.0.1");
    await until("the page answers", 30_000, async () => (await fetch(url).catch(() => null))?.ok);
    const { host } = new URL(url);
    const statusWith = async (...headers: string[]) => {
      const request = ["GET / HTTP/1.1", ...headers, "connection: close", "", ""].join("\r\n");
      return String(await sendRaw(url, request)).split(" ")[1] ?? "";
    };
    const own = await statusWith(`host: ${host}`);
    row("its own address", own, "200", own === "200");
    const otherHost = await statusWith("host: evil.example");
    row("another Host", otherHost, "4xx", /^4\d\d$/.test(otherHost));
    const otherOrigin = await statusWith(`host: ${host}`, "origin: http://evil.example");
    row("another Origin", otherOrigin, "4xx", /^4\d\d$/.test(otherOrigin));
    await daemon.post("/api/apps/stop-current-app");
  },
} satisfies Attack;
