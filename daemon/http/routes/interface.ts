import { z } from "zod";
import type { EventBroadcaster } from "../events/event-broadcaster.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { docsPage } from "../pages/docs-page.ts";
import { errorCodePage, errorInfo, parseExplanations } from "../pages/error-code-page.ts";
import { escapeHtml, sendPage } from "../pages/page.ts";
import { openApiDocument } from "../rest/openapi.ts";
import { type Route, routesOf } from "../rest/route.ts";

const { get } = routesOf("interface");

interface InterfaceParts {
  events: EventBroadcaster;
  metrics: Metrics;
  /** All routes but those of this file. */
  routes: readonly Route[];
  version: string;
  /** The text of docs/errors.md. */
  errorsText: string;
}

/** Placeholder for the daemon's host in the cached page. */
const HOST_PLACEHOLDER = "host.of.the.daemon";

/** Routes for events, metrics and the documentation of the REST interface. */
export function interfaceRoutes({ events, metrics, routes, version, errorsText }: InterfaceParts): Route[] {
  const explanations = parseExplanations(errorsText);
  const own: Route[] = [
    get("/api/events", {
      summary: "All events of the daemon as server-sent events: slot, log, job, robot, startup-app, notice",
      produces: ["text/event-stream"],
      handle: ({ request, response, admitStream }) => {
        admitStream();
        events.open(request, response);
      },
    }),
    get("/metrics", {
      summary: "Counts and gauges for Prometheus",
      produces: ["text/plain"],
      handle: ({ response }) => void response.type("text/plain; version=0.0.4; charset=utf-8").send(metrics.text()),
    }),
    get("/openapi.json", {
      summary: "The OpenAPI 3.1 document of this interface",
      result: z.looseObject({ openapi: z.string() }),
      handle: ({ response }) => void response.type("json").send(json()),
    }),
    get("/docs", {
      summary: "The documentation of this interface as a page",
      produces: ["text/html"],
      handle: ({ request, response }) =>
        sendPage(
          response,
          "robot-daemon: interface",
          page().replaceAll(HOST_PLACEHOLDER, () => escapeHtml(request.headers.host ?? "")),
        ),
    }),
    get("/errors/:code", {
      summary: "Meaning and remedy of an error code; as a page for browsers",
      result: z.object({ code: z.string(), status: z.int(), title: z.string(), explanation: z.string() }),
      produces: ["text/html"],
      errors: ["route-not-found"],
      handle: ({ params, request, response }) => {
        const info = errorInfo(params.code ?? "", explanations);
        if (request.accepts(["json", "html"]) !== "html") return info;
        return sendPage(response, info.title, errorCodePage(info));
      },
    }),
  ];
  // Created for the first client and cached, because they are large.
  const document = once(() => openApiDocument([...routes, ...own], version));
  const page = once(() => docsPage(document(), `http://${HOST_PLACEHOLDER}`));
  const json = once(() => Buffer.from(JSON.stringify(document())));
  return own;
}

/** Returns a function that calls `make` the first time, and returns the same value from then on. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
