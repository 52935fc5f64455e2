import type { AppVerdict } from "../../robot/wire/apps/app-details.ts";

interface Badge {
  text: string;
  tone: "good" | "bad" | "neutral";
}

const BADGES: Record<AppVerdict["verdict"], Badge> = {
  conformant: { text: "Conformant", tone: "good" },
  "not-conformant": { text: "Not conformant", tone: "bad" },
  inconclusive: { text: "Inconclusive", tone: "neutral" },
  error: { text: "Not judged: the certification failed", tone: "neutral" },
};

/** The badge of an app's verdict, null without one. A verdict on other files says nothing good or bad of those installed. */
export function verdictBadge(verdict: Pick<AppVerdict, "verdict" | "of_installed"> | null): Badge {
  if (verdict === null) return { text: "Not certified", tone: "neutral" };
  const badge = BADGES[verdict.verdict];
  return verdict.of_installed ? badge : { ...badge, tone: "neutral" };
}
