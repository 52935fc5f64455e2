// The settings page of an app answers its own address only: another site must not read or change anything through it.
import { until } from "../../../bench/daemon.mjs";
import { sendRaw } from "../../attack-tools.mjs";

/** @type {import("../../attack.mjs").Attack} */
export default {
  title: "another site asks the page of an app",
  async run({ daemon, row }) {
    await daemon.post("/api/apps/start-app/hello_robot");
    const page = await until("the app has a page", 30_000, async () => {
      const { info } = await daemon.get("/api/apps/current-app-status");
      return info?.extra?.custom_app_url;
    });
    const url = String(page).replace("localhost", "127.0.0.1");
    await until("the page answers", 30_000, async () => (await fetch(url).catch(() => null))?.ok);
    const { host } = new URL(url);
    /** @param {string[]} headers */
    const ask = async (...headers) =>
      String(await sendRaw(url, `GET / HTTP/1.1\r\n${headers.join("\r\n")}\r\nconnection: close\r\n\r\n`)).split(
        " ",
      )[1];
    const own = await ask(`host: ${host}`);
    row("its own address", own ?? "", "200", own === "200");
    for (const [what, headers] of [
      ["another Host", ["host: evil.example"]],
      ["another Origin", [`host: ${host}`, "origin: http://evil.example"]],
    ]) {
      const status = (await ask(.../** @type {string[]} */ (headers))) ?? "";
      row(String(what), status, "4xx", /^4\d\d$/.test(status));
    }
    await daemon.post("/api/apps/stop-current-app");
  },
};
