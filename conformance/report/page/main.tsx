import { render } from "preact";
import "../../../ui/theme/index.css";
import { unpack } from "../../../common/unpack-data.ts";
import { applyTheme } from "../../../ui/theme/theme-model.ts";
import type { Verdict } from "../../verdict/verdict.ts";
import { App } from "./app.tsx";
import { ReportModel } from "./report-model.ts";
import "./layout.css";

const DAMAGED =
  "This file is damaged or incomplete. Write it again: robot-app-assistant report verdict.json --out report.html";

const root = document.getElementById("report");
const verdict = (await unpack(document.getElementById("verdict")?.textContent ?? "").catch((error: unknown) => {
  root?.append(DAMAGED);
  throw error;
})) as Verdict;
const report = new ReportModel(verdict);
const theme = applyTheme();
document.title = `${verdict.app ?? "An app"}: ${verdict.verdict}`;
if (root) render(<App report={report} theme={theme} />, root);

function followHash(): void {
  const target = report.follow(location.hash);
  if (target === null) return;
  // In the next frame, when the page shows what the link has changed.
  requestAnimationFrame(() => {
    const id = "requirement" in target ? target.requirement : "status" in target ? "requirements" : "player";
    const element = document.getElementById(id);
    element?.scrollIntoView({ block: "requirement" in target ? "center" : "start" });
    element?.focus({ preventScroll: true });
  });
}
addEventListener("hashchange", followHash);
// A link to the present hash causes no hashchange.
document.addEventListener("click", ({ target }) => {
  const link = target instanceof Element ? target.closest("a") : null;
  if (link !== null && link.hash !== "" && link.hash === location.hash) followHash();
});
followHash();
