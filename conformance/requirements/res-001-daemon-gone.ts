import type { DynamicRequirement } from "./requirement.ts";

/** Share of a processor that an app may take while it waits for a daemon. */
const SPINNING = 0.6;

export const daemonGone: DynamicRequirement = {
  id: "RES-001",
  level: "MUST",
  section: "3",
  title: "When the daemon drops away, the app ends or reconnects within 10 s, without spinning",
  mutants: ["RES-001-goes-on"],
  scenes: ["daemon-gone"],
  judge({ facts: { drop }, runs }) {
    if (drop === undefined) return { skip: "The app ended before the daemon could drop away." };
    const t = runs[0]?.askedAt ?? 0;
    const how = drop.silent ? "fell silent" : "broke its connections";
    const neither = `The daemon ${how}, and 10 s later the app had neither ended nor reconnected. Leave run() when stop_event is set, and let ConnectionError pass.`;
    const spins = `While the daemon was gone the app took ${(100 * drop.cpu).toFixed(0)} % of a processor; at most ${100 * SPINNING} % is not spinning. Sleep between attempts.`;
    return {
      observed: [
        ...(drop.ended || drop.reconnected ? [] : [{ message: neither, scene: "daemon-gone", t }]),
        ...(drop.cpu > SPINNING ? [{ message: spins, scene: "daemon-gone", t }] : []),
      ],
      measured: [{ name: "processor without a daemon", value: 100 * drop.cpu, unit: "%", limit: 100 * SPINNING }],
    };
  },
};
