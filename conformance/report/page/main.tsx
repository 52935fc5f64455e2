import { effect } from "@preact/signals";
import { render } from "preact";
import "../../../daemon/dashboard/style/base.css";
import { ThemeModel } from "../../../daemon/dashboard/model/theme.ts";
import type { Verdict } from "../../verdict/verdict.ts";
import { ReportModel } from "./model/report-model.ts";
import { unpack } from "./unpack.ts";
import { App } from "./view/app.tsx";
import "./style/layout.css";
import "./style/headline.css";
import "./style/requirements.css";
import "./style/scenes.css";
import "./style/player.css";
import "./style/tracks.css";
import "./style/print.css";

/** A page in a frame may have no store; the choice of light or dark is then as long-lived as the page. */
function store(): Pick<Storage, "getItem" | "setItem"> {
  try {
    return localStorage;
  } catch {
    return { getItem: () => null, setItem: () => {} };
  }
}

const root = document.getElementById("report");
const verdict = (await unpack(document.getElementById("verdict")?.textContent ?? "").catch((error: unknown) => {
  root?.append(
    "This file is damaged or was cut off: what was found cannot be read. Have it written again from verdict.json.",
  );
  throw error;
})) as Verdict;
const report = new ReportModel(verdict);
const theme = new ThemeModel(store(), matchMedia("(prefers-color-scheme: dark)"));

const paint = (name: string) => {
  document.documentElement.dataset.theme = name;
};
effect(() => paint(theme.theme.value));
// Paper is white.
addEventListener("beforeprint", () => paint("light"));
addEventListener("afterprint", () => paint(theme.theme.value));

document.title = `${verdict.app ?? "An app"}: ${verdict.verdict}`;
if (root) render(<App report={report} theme={theme} />, root);

function follow(): void {
  const place = report.follow(location.hash);
  if (place === null) return;
  // After the page shows what the place may have changed.
  requestAnimationFrame(() => {
    const id = "requirement" in place ? place.requirement : "status" in place ? "requirements" : "player";
    const target = document.getElementById(id);
    target?.scrollIntoView({ block: "requirement" in place ? "center" : "start" });
    target?.focus({ preventScroll: true });
  });
}
addEventListener("hashchange", follow);
// A link to where the address already is changes no hash, but leads there again.
document.addEventListener("click", ({ target }) => {
  const link = target instanceof Element ? target.closest("a") : null;
  if (link !== null && link.hash !== "" && link.hash === location.hash) follow();
});
follow();
