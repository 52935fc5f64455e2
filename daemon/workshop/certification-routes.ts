import { readFile } from "node:fs/promises";
import { CertificationState, CertifyBody } from "../../robot/wire/workshop/certification.ts";
import { defineRoute, type Route } from "../http/rest/route.ts";
import type { WorkshopCertifications } from "./workshop-certifications.ts";
import { workshopSecretGuard } from "./workshop-secret.ts";

/**
 * The report has its own script in it, and allows no other one and no requests. As a page without an origin it reaches
 * nothing of the dashboard.
 */
const REPORT_POLICY = "sandbox allow-scripts; frame-ancestors 'none'";

interface CertificationRoutesParts {
  certifications: WorkshopCertifications;
  secret: string;
}

/** Routes to certify the app that is edited, as it is kept. */
export function certificationRoutes({ certifications, secret }: CertificationRoutesParts): Route[] {
  const answer = { tag: "workshop", result: CertificationState, handle: () => certifications.state } as const;
  return [
    defineRoute({
      ...answer,
      method: "get",
      path: "/api/workshop/certification",
      summary: "The certification of the app that is edited: what runs, and the last verdict",
      errors: [],
    }),
    defineRoute({
      ...answer,
      method: "post",
      path: "/api/workshop/certify",
      summary: "Certify the app as it is kept, in place of the certification that runs; answers at once",
      guard: workshopSecretGuard(secret),
      body: CertifyBody,
      errors: ["workshop-secret"],
      handle: ({ body: { tier } }) => {
        certifications.start(tier);
        return certifications.state;
      },
    }),
    defineRoute({
      ...answer,
      method: "post",
      path: "/api/workshop/certify/cancel",
      summary: "End the certification that runs; the last verdict stays",
      guard: workshopSecretGuard(secret),
      errors: ["workshop-secret"],
      handle: () => {
        certifications.cancel();
        return certifications.state;
      },
    }),
    defineRoute({
      method: "get",
      path: "/api/workshop/report",
      summary: "The report of the last verdict as a page; with #replay/ID it shows the moment of a finding",
      tag: "workshop",
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
