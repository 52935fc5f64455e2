import type { Invocation, Location, Log, Run, ToolComponent } from "sarif";
import { placeOf } from "./place.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/**
 * A place in a file of the app, as SARIF has it: a relative reference (RFC 3986), each part of the path escaped.
 * @param prefix the app's folder relative to the working directory, which must be the root of the repository
 * @param line from 1; null for the whole file
 */
export function sarifLocation(prefix: string, file: string, line: number | null): Location {
  const uri = placeOf(prefix, file).split("/").map(encodeURIComponent).join("/");
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine: line ?? 1 } } };
}

/** A SARIF 2.1.0 log of one run (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html). */
export function sarifLog(
  driver: ToolComponent,
  invocation: Invocation,
  rest: Pick<Run, "results" | "properties">,
): Log {
  const run: Run = { tool: { driver }, invocations: [invocation], columnKind: "utf16CodeUnits", ...rest };
  return { $schema: SCHEMA, version: "2.1.0", runs: [run] };
}
