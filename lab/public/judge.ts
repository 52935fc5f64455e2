import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { z } from "zod";
import type { Seen } from "./expected.ts";

const ASSISTANT_SCRIPT = resolve("bin/robot-app-assistant.mjs");
/** Milliseconds that a part may take. */
const LIMITS_MS = { check: 120_000, short: 1_200_000, whole: 3_600_000 };

const Report = z.object({
  verdict: z.string(),
  duration: z.number().optional(),
  results: z.array(
    z.object({
      id: z.string(),
      level: z.string(),
      status: z.string(),
      reason: z.string().nullable(),
      findings: z.array(z.object({ message: z.string() })),
    }),
  ),
});

/** What a part shows, with the findings behind it for a person. */
interface Judged extends Seen {
  details: readonly string[];
}

const Failed = z.object({ error: z.object({ code: z.string(), detail: z.string() }) });

/** This machine lacks a Python that an app asks for; that says nothing about the app. */
export class MissingPythonError extends Error {}

/** Checks or certifies a copy of an app with the built programs. @throws MissingPythonError; Error without a verdict, with what was printed */
export async function judge(part: keyof typeof LIMITS_MS, folder: string, out: string): Promise<Judged> {
  const given = part === "check" ? ["check", folder] : ["certify", folder, "--tier", part, "--out", out];
  const args = [ASSISTANT_SCRIPT, ...given, "--json"];
  const ended = await execa(process.execPath, args, { stdin: "ignore", timeout: LIMITS_MS[part], reject: false });
  if (ended.isTerminated) throw new Error(`ended by ${ended.signal} after ${LIMITS_MS[part] / 1000} s`);
  const { stdout, stderr } = ended;
  const text = part === "check" ? stdout : await readFile(join(out, "verdict.json"), "utf8").catch(() => "");
  if (text === "") throwMissingPython(stdout);
  if (text === "") throw new Error(stderr.trim().split("\n").at(-1) ?? "no verdict");
  const { verdict, results } = Report.parse(JSON.parse(text));
  const open = results.filter(({ status }) => !["pass", "not-applicable", "skip"].includes(status));
  return {
    verdict,
    fails: results.filter(({ level, status }) => level === "MUST" && status === "fail").map(({ id }) => id),
    needs: [...new Set(results.flatMap(({ reason }) => /^needs: (.+?)\. /.exec(reason ?? "")?.[1] ?? []))],
    details: open.map(({ id, status, reason, findings }) => `${id} ${status}: ${findings[0]?.message ?? reason}`),
  };
}

function throwMissingPython(stdout: string): void {
  const { success, data } = Failed.safeParse(parsed(stdout));
  if (success && data.error.code === "python-missing") throw new MissingPythonError(data.error.detail);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
