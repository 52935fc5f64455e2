import { render } from "preact";
import "../../../ui/theme/index.css";
import { unpack } from "../../../common/unpack-data.ts";
import type { MotionPageData } from "../../../robot/wire/film.ts";
import { applyTheme } from "../../../ui/theme/theme-model.ts";
import { App } from "./app.tsx";
import "./page.css";

const root = document.getElementById("page");
const data = (await unpack(document.getElementById("motion")?.textContent ?? "").catch((error: unknown) => {
  root?.append("This file is damaged or incomplete. Run the test again.");
  throw error;
})) as MotionPageData;
document.title = data.title;
if (root) render(<App data={data} theme={applyTheme()} />, root);
