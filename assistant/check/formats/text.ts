import { formatReport } from "../format-report.ts";
import type { Format } from "./format.ts";

/** For people. */
export const formatText: Format = (report, { colour }) => formatReport(report, colour);
