// Which of two Host headers counts is a matter of taste; a proxy may have checked the other one.
import type { Attack } from "../../attack.ts";
import { sendRaw } from "../../attack-tools.ts";

export default {
  title: "two Host headers",
  async run({ daemon, row }) {
    for (const [what, extra] of [
      ["GET /healthz", ""],
      ["GET /ws/sdk", "connection: upgrade\r\nupgrade: websocket\r\n"],
    ]) {
      const answer = String(
        await sendRaw(daemon.url, `${what} HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n${extra}\r\n`),
      );
      const status = answer.split(" ")[1] ?? "";
      row(what ?? "", status, "400", status === "400");
    }
  },
} satisfies Attack;
