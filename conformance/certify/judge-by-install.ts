import type { InstallFacts } from "../evidence/evidence.ts";
import type { Judgement } from "../verdict/verdict.ts";

/** The requirement that the page is shipped, which the check reads from package data. */
const SHIPPED_PAGE = "PKG-012";

/**
 * Judges by the installed package what the check could only foretell from package data: MANIFEST.in, setup.py, setup.cfg and
 * plug-ins of the build decide as well.
 * @param install undefined: the app was not installed
 */
export function judgeByInstall(judgement: Judgement, install: InstallFacts | undefined): Judgement {
  if (judgement.id !== SHIPPED_PAGE || install === undefined || install.refusal !== null) return judgement;
  const { staticFiles, missing } = install;
  if (staticFiles === 0) {
    if (judgement.status !== "inconclusive") return judgement;
    return {
      ...judgement,
      status: "not-applicable",
      reason: "The app has no static/; its page is judged while it runs.",
    };
  }
  if (missing.length > 0) {
    const message = `The installed package lacks ${missing.length} of ${staticFiles} files of static/ (${missing[0]}).`;
    const findings =
      judgement.findings.length > 0 ? judgement.findings : [{ message, file: "pyproject.toml", line: null }];
    return { ...judgement, status: "fail", reason: null, findings };
  }
  const text = `The installed package has all ${staticFiles} files of static/.`;
  return { ...judgement, status: "pass", reason: null, findings: [], observations: [{ text, testRun: null, t: null }] };
}
