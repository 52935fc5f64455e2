import { readFile } from "node:fs/promises";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { CertificationState, CertifyBody } from "../../robot/wire/workshop/certification.ts";
import { type Route, routesOf } from "../http/rest/route.ts";
import type { WorkshopHost } from "./workshop-host.ts";
import { workshopSecretGuard } from "./workshop-secret.ts";

const { get, post } = routesOf("workshop");

/**
 * The report runs its own inline script and makes no requests. It is a page without an origin, so it cannot access the
 * dashboard.
 */
const REPORT_POLICY = "sandbox allow-scripts; frame-ancestors 'none'";

const NONE: CertificationState = { running: null, verdict: null, problem: null };

/** Routes that certify the saved files of the edited app. */
export function certificationRoutes(host: WorkshopHost): Route[] {
  const answer = { result: CertificationState, handle: () => host.parts?.certifications.state ?? NONE } as const;
  return [
    get("/api/workshop/certification", {
      ...answer,
      summary: "The certification of the app that is edited: what runs, and the last verdict",
    }),
    post("/api/workshop/certify", {
      ...answer,
      summary: "Certify the app as it is kept, in place of the certification that runs; answers at once",
      guard: workshopSecretGuard(host),
      body: CertifyBody,
      errors: ["workshop-secret"],
      handle: ({ body: { tier } }) => {
        const { certifications } = host.current;
        certifications.start(tier);
        return certifications.state;
      },
    }),
    post("/api/workshop/certify/cancel", {
      ...answer,
      summary: "End the certification that runs; the last verdict stays",
      guard: workshopSecretGuard(host),
      errors: ["workshop-secret"],
      handle: () => {
        const { certifications } = host.current;
        certifications.cancel();
        return certifications.state;
      },
    }),
    get("/api/workshop/report", {
      summary: "The report of the last verdict as a page; with #replay/ID it shows the moment of a finding",
      produces: ["text/html"],
      errors: ["report-not-found"],
      handle: async ({ response }) => {
        const page = await readFile(reportFileOf(host));
        response.setHeader("content-security-policy", REPORT_POLICY).setHeader("cache-control", "no-store");
        response.type("html").send(page);
      },
    }),
  ];
}

/** @throws WorkbenchError `report-not-found` */
function reportFileOf({ parts }: WorkshopHost): string {
  if (parts !== null) return parts.certifications.reportFile;
  throw new WorkbenchError("report-not-found", "No app is edited here, so none was judged.");
}
