import { escapeXml } from "../../assistant/check/formats/escape-xml.ts";
import { placeOf } from "../../assistant/check/formats/place.ts";
import { type Judgement, preventsConformance, type StaleWaiver, type Verdict } from "../verdict/verdict.ts";
import { describeStaleWaiver } from "./describe-stale-waiver.ts";

type Kind = "passed" | "failure" | "error" | "skipped" | "output";

/** One test case: an element of JUnit's format, and what it counts as. */
interface Case {
  kind: Kind;
  xml: string;
}

/**
 * A verdict as a JUnit file: one test case for each requirement, its id first in the name, and one for each stale waiver.
 * What keeps the app from being conformant is a failure or an error, so that a CI job fails exactly then.
 * @param folder the app's folder relative to the working directory
 */
export function junitOf({ app, duration, startedAt, results, staleWaivers }: Verdict, folder: string): string {
  const cases = [...results.map((judgement) => caseOf(judgement, folder)), ...staleWaivers.map(waiverCase)];
  const count = (wanted: Kind) => cases.filter(({ kind }) => kind === wanted).length;
  const totals = `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}"`;
  const suite = `name="${escapeXml(app ?? "app")}" ${totals} time="${duration.toFixed(3)}" timestamp="${startedAt}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="robot-app-assistant certify" ${totals}>`,
    `  <testsuite ${suite}>`,
    ...cases.map(({ xml }) => xml),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function kindOf(judgement: Judgement): Kind {
  const { status } = judgement;
  if (preventsConformance(judgement)) return status === "error" ? "error" : "failure";
  if (status === "pass") return "passed";
  // JUnit has no warnings.
  return status === "warn" || status === "flaky" ? "output" : "skipped";
}

function caseOf(judgement: Judgement, folder: string): Case {
  const { id, level, section, title, status, findings, reason, waiver } = judgement;
  const kind = kindOf(judgement);
  const text = findings.map(
    ({ message, file, line }) => `${placeOf(folder, file)}${line === null ? "" : `:${line}`}: ${message}`,
  );
  const waived = waiver === null ? [] : [`waived by ${waiver.owner} until ${waiver.expires}: ${waiver.reason}`];
  const all = escapeXml([...text, ...waived, ...(reason === null ? [] : [reason])].join("\n"));
  const message = escapeXml(findings[0]?.message ?? reason ?? "");
  const inside = {
    passed: "",
    failure: `<failure message="${message}" type="${status}">${all}</failure>`,
    error: `<error message="${message}">${all}</error>`,
    skipped: `<skipped message="${message}"/>`,
    output: `<system-out>${all}</system-out>`,
  }[kind];
  return { kind, xml: elementOf(`${level}.${section}`, `${id} ${title}`, inside) };
}

function waiverCase(waiver: StaleWaiver): Case {
  const text = escapeXml(describeStaleWaiver(waiver));
  const inside = `<failure message="${text}" type="${waiver.why}">${text}</failure>`;
  return { kind: "failure", xml: elementOf("waivers", `${waiver.requirement} waiver`, inside) };
}

function elementOf(classname: string, name: string, inside: string): string {
  const head = `    <testcase classname="${classname}" name="${escapeXml(name)}"`;
  return inside === "" ? `${head}/>` : `${head}>${inside}</testcase>`;
}
