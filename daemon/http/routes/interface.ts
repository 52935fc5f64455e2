import { z } from "zod";
import type { EventStream } from "../events.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { type OpenApi, openApiDocument } from "../openapi.ts";
import { docsPage } from "../pages/docs-page.ts";
import { errorFacts, errorPage, explanations } from "../pages/error-page.ts";
import { sendPage } from "../pages/page.ts";
import { type Route, route } from "../route.ts";

export interface InterfaceParts {
  events: EventStream;
  metrics: Metrics;
  /** All other routes. */
  routes: readonly Route[];
  version: string;
  /** The text of docs/errors.md. */
  errorsText: string;
}

/** What the interface says of itself: events, metrics, the document, its page, the errors. */
export function interfaceRoutes({ events, metrics, routes, version, errorsText }: InterfaceParts): Route[] {
  const explained = explanations(errorsText);
  const own: Route[] = [
    route({
      method: "get",
      path: "/api/events",
      summary: "Everything that happens, as server-sent events: slot, log, job, robot, startup-app, notice",
      tag: "interface",
      produces: ["text/event-stream"],
      errors: [],
      handle: ({ request, response }) => events.open(request, response),
    }),
    route({
      method: "get",
      path: "/metrics",
      summary: "Counts and gauges for Prometheus",
      tag: "interface",
      produces: ["text/plain"],
      errors: [],
      handle: ({ response }) => void response.type("text/plain; version=0.0.4; charset=utf-8").send(metrics.text()),
    }),
    route({
      method: "get",
      path: "/openapi.json",
      summary: "This interface as an OpenAPI 3.1 document",
      tag: "interface",
      result: z.looseObject({ openapi: z.string() }),
      errors: [],
      handle: () => document(),
    }),
    route({
      method: "get",
      path: "/docs",
      summary: "This interface as a page",
      tag: "interface",
      produces: ["text/html"],
      errors: [],
      handle: ({ request, response }) =>
        sendPage(response, "robot-daemon: interface", docsPage(document(), `http://${request.headers.host}`)),
    }),
    route({
      method: "get",
      path: "/errors/:code",
      summary: "What an error means and what to do; a page for browsers",
      tag: "interface",
      result: z.object({ code: z.string(), status: z.int(), title: z.string(), explanation: z.string() }),
      produces: ["text/html"],
      errors: ["route-not-found"],
      handle: ({ params, request, response }) => {
        const facts = errorFacts(params.code ?? "", explained);
        if (request.accepts(["json", "html"]) !== "html") return facts;
        return sendPage(response, facts.title, errorPage(facts));
      },
    }),
  ];
  let made: OpenApi | undefined;
  const document = (): OpenApi => {
    made ??= openApiDocument([...routes, ...own], version);
    return made;
  };
  return own;
}
