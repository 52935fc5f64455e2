import { readFile } from "node:fs/promises";
import { CertificationState, CertifyBody } from "../../robot/wire/workshop/certification.ts";
import { type Route, routesOf } from "../http/rest/route.ts";
import type { WorkshopCertifications } from "./workshop-certifications.ts";
import { workshopSecretGuard } from "./workshop-secret.ts";

const { get, post } = routesOf("workshop");

/**
 * The report runs its own inline script and makes no requests. It is a page without an origin, so it cannot access the
 * dashboard.
 */
const REPORT_POLICY = "sandbox allow-scripts; frame-ancestors 'none'";

interface CertificationRoutesParts {
  certifications: WorkshopCertifications;
  secret: string;
}

/** Routes that certify the saved files of the edited app. */
export function certificationRoutes({ certifications, secret }: CertificationRoutesParts): Route[] {
  const answer = { result: CertificationState, handle: () => certifications.state } as const;
  return [
    get("/api/workshop/certification", {
      ...answer,
      summary: "The certification of the app that is edited: what runs, and the last verdict",
    }),
    post("/api/workshop/certify", {
      ...answer,
      summary: "Certify the app as it is kept, in place of the certification that runs; answers at once",
      guard: workshopSecretGuard(secret),
      body: CertifyBody,
      errors: ["workshop-secret"],
      handle: ({ body: { tier } }) => {
        certifications.start(tier);
        return certifications.state;
      },
    }),
    post("/api/workshop/certify/cancel", {
      ...answer,
      summary: "End the certification that runs; the last verdict stays",
      guard: workshopSecretGuard(secret),
      errors: ["workshop-secret"],
      handle: () => {
        certifications.cancel();
        return certifications.state;
      },
    }),
    get("/api/workshop/report", {
      summary: "The report of the last verdict as a page; with #replay/ID it shows the moment of a finding",
      produces: ["text/html"],
      errors: ["report-not-found"],
      handle: async ({ response }) => {
        const page = await readFile(certifications.reportFile);
        response.setHeader("content-security-policy", REPORT_POLICY).setHeader("cache-control", "no-store");
        response.type("html").send(page);
      },
    }),
  ];
}
