import { DEFAULT_DIALECT, type Dialect } from "../../robot/dialects/dialects.ts";
import { explicitPortOf } from "../../robot/wire/apps/page-url.ts";
import type { AppClassFacts, InstallFacts } from "../evidence/evidence.ts";
import { type AppUnderTest, mainFileOf } from "../runner/app/app-under-test.ts";
import type { Judgement } from "../verdict/verdict.ts";

/*
 * The check of an app's files cannot decide some requirements, and only predicts others. They are judged again from the
 * installed app.
 */

/** The requirement that the page is shipped, which the check reads from package data. */
const SHIPPED_PAGE = "PKG-012";

/**
 * Judges from the installed package what the check can only predict from package data: MANIFEST.in, setup.py, setup.cfg and
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

/** What Python sees of the class: what is wrong with it, or what is right. */
interface ClassFinding {
  problem: string | null;
  observation: string;
}

/** Requirements on the app's class that its files may leave open. */
const CLASS_CHECKS: Readonly<Record<string, (imported: ImportedClass, dialect: Dialect) => ClassFinding>> = {
  "PKG-006": ({ facts }, dialect) => ({
    problem: problemWithRun(facts, dialect),
    observation: `the class extends ${dialect.sdk.appClass}, and its run takes a robot and a stop event`,
  }),
  "PKG-008": (imported, dialect) => ({
    problem: problemWithUrl(imported, dialect),
    observation: `custom_app_url is ${imported.facts.customAppUrl ?? "None"}`,
  }),
};

/** Requirements that its files may seem to meet although Python sees otherwise. */
const ALSO_AFTER_A_PASS = ["PKG-008"];

/** The app's class as Python sees it, and the module that it is in. */
export interface ImportedClass {
  app: Pick<AppUnderTest, "module" | "sourceRoot" | "announcedUrl">;
  facts: AppClassFacts;
}

/**
 * Judges the app's class as Python sees it, where its files do not show all of its base classes or an address that is
 * computed: then the check of the files is inconclusive. The address of the page is compared in any case.
 */
export function correctByImportedClass(
  judgement: Judgement,
  imported: ImportedClass | null,
  dialect = DEFAULT_DIALECT,
): Judgement {
  const check = CLASS_CHECKS[judgement.id];
  const isOpen =
    judgement.status === "inconclusive" || (judgement.status === "pass" && ALSO_AFTER_A_PASS.includes(judgement.id));
  if (check === undefined || !isOpen || imported === null) return judgement;
  const { problem, observation } = check(imported, dialect);
  if (problem !== null) {
    const findings = [{ message: `Imported, the app's class ${problem}.`, file: mainFileOf(imported.app), line: null }];
    return { ...judgement, status: "fail", reason: null, findings };
  }
  const observations = [{ text: `Imported, ${observation}.`, testRun: null, t: null }];
  return { ...judgement, status: "pass", reason: null, observations };
}

function problemWithUrl({ app, facts: { customAppUrl } }: ImportedClass, dialect: Dialect): string | null {
  const valid = 'it must be None or a URL with a port, as "http://localhost:8042"';
  if (customAppUrl !== null && explicitPortOf(customAppUrl) === null)
    return `has the custom_app_url ${JSON.stringify(customAppUrl)}; ${valid}`;
  if (!dialect.prescribesForm || customAppUrl === app.announcedUrl) return null;
  const [seen, read] = [customAppUrl ?? "None", app.announcedUrl ?? "None"];
  return `has the custom_app_url ${seen}, but the daemon reads ${read} from ${mainFileOf(app)}; assign a literal in the app's class there`;
}

function problemWithRun({ extendsRobotApp, runIsAsync, runAccepts }: AppClassFacts, dialect: Dialect): string | null {
  const { sdk, robotParameter } = dialect;
  const run = `def run(self, ${robotParameter}, stop_event)`;
  if (!extendsRobotApp) return `does not extend ${sdk.appClass}: from ${sdk.module} import ${sdk.appClass}`;
  if (runIsAsync) return `has an async run: ${run} must not be async`;
  return runAccepts ? null : `has a run that does not take a robot and a stop event: ${run}`;
}
