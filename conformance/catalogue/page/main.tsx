import { render } from "preact";
import "../../../ui/theme/index.css";
import { unpack } from "../../../common/unpack-data.ts";
import { applyTheme } from "../../../ui/theme/theme-model.ts";
import type { CataloguePageData } from "../page-file.ts";
import { App } from "./app.tsx";
import "./catalogue.css";

const root = document.getElementById("page");
const data = (await unpack(document.getElementById("catalogue")?.textContent ?? "").catch((error: unknown) => {
  root?.append("This file is damaged or incomplete. Write it again: robot-app-assistant report catalogue.json");
  throw error;
})) as CataloguePageData;
const theme = applyTheme();
document.title = `${data.run.apps.length} apps, ${data.run.startedAt.slice(0, 10)}`;
if (root) render(<App data={data} theme={theme} />, root);
