// The time of a refusal says nothing about how much of a token was right.
import { readFileSync } from "node:fs";
import { type Agent, request } from "node:http";
import { join } from "node:path";
import { median } from "../../../bench/figures.ts";
import type { Attack } from "../../attack.ts";

const ROUNDS = 3000;

/** Microseconds until the answer. */
const timeOf = (url: string, token: string, agent: Agent) =>
  new Promise<number>((resolve, reject) => {
    const began = performance.now();
    request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      answer.resume().once("end", () => resolve((performance.now() - began) * 1000));
    })
      .once("error", reject)
      .end();
  });

export default {
  title: "tokens that are wrong at the first or at the last character, in turn",
  options: ["--host", "0.0.0.0"],
  async run({ daemon, dataDir, row }) {
    const { Agent } = await import("node:http");
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const token = readFileSync(join(dataDir, "access-token"), "utf8").trim();
    const other = (character: string) => (character === "A" ? "B" : "A");
    const tokens = [other(token[0] ?? "") + token.slice(1), token.slice(0, -1) + other(token.at(-1) ?? "")];
    const times: number[][] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [index, wrong] of tokens.entries())
        times[index]?.push(await timeOf(`${daemon.url}/healthz`, wrong, agent));
    const [first = 0, last = 0] = times.map(median);
    const spread = median((times[0] ?? []).map((time) => Math.abs(time - first)));
    const difference = Math.abs(first - last);
    row(
      "difference of the medians",
      `${difference.toFixed(1)} µs`,
      `far below the spread of one, ${spread.toFixed(1)} µs`,
      difference <= spread / 2,
    );
    agent.destroy();
  },
} satisfies Attack;
