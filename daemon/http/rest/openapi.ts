import { z } from "zod";
import { ERRORS, type ErrorCode } from "../../../robot/wire/errors.ts";
import type { Route } from "./route.ts";

/** A JSON Schema. */
export type Schema = Record<string, unknown>;
type Content = Record<string, { schema?: Schema }>;

/** The part of an OpenAPI 3.1 operation that this daemon uses. */
export interface Operation {
  tags: string[];
  summary: string;
  parameters: { name: string; in: "path" | "query"; required?: true; schema: Schema }[];
  requestBody?: { required: true; content: Content };
  /** By HTTP status. */
  responses: Record<string, { description: string; content?: Content }>;
}

export interface OpenApi {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  /** Operations by path, then by method. */
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const DESCRIPTION =
  "Errors are application/problem+json; each error code has a page at /errors/CODE. Any route can answer 403 or 421 to " +
  "a page of another site, and on the network 401 without the token (Authorization: Bearer TOKEN) or 429. " +
  "WebSockets: /ws/sdk for programs, /ws/state for the robot's state, /ws/audio for sound, and with a simulated robot " +
  "/ws/scene for the objects beside it.";

const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(ERRORS) as [string, ...string[]]),
});

/** Converts a zod schema to the JSON Schema that OpenAPI 3.1 embeds. */
function toJsonSchema(schema: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

const json = (schema: Schema): Content => ({ "application/json": { schema } });

function describeOperation(route: Route): Operation {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path" as const,
    required: true as const,
    schema: { type: "string" },
  }));
  const query = route.query ? toJsonSchema(route.query, "input") : {};
  const inQuery = Object.entries((query.properties ?? {}) as Record<string, Schema>).map(([name, schema]) => ({
    name,
    in: "query" as const,
    schema,
  }));
  const otherMedia = Object.fromEntries((route.produces ?? []).map((media) => [media, {}]));
  const content = { ...(route.result && json(toJsonSchema(route.result, "output"))), ...otherMedia };
  return {
    tags: [route.tag],
    summary: route.summary,
    parameters: [...inPath, ...inQuery],
    ...(route.body
      ? { requestBody: { required: true as const, content: json(toJsonSchema(route.body, "input")) } }
      : {}),
    responses: { 200: { description: "Done", content }, ...errorResponses(route) },
  };
}

/** Groups the route's errors by status; adds those of every route with input. */
function errorResponses(route: Route): Operation["responses"] {
  const takesInput = route.body !== undefined || route.query !== undefined || route.path.includes(":");
  const implied: ErrorCode[] = [...(takesInput ? (["bad-request"] as const) : [])];
  if (route.body) implied.push("body-too-large");
  const codes = [...new Set([...route.errors, ...implied])];
  const responses: Operation["responses"] = {};
  for (const status of new Set(codes.map((code) => ERRORS[code].status))) {
    const sameStatus = codes.filter((code) => ERRORS[code].status === status);
    responses[status] = {
      description: sameStatus.map((code) => `${code}: ${ERRORS[code].title}`).join("; "),
      content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
    };
  }
  return responses;
}

/** Returns the OpenAPI 3.1 document of the routes. */
export function openApiDocument(routes: readonly Route[], version: string): OpenApi {
  const paths: OpenApi["paths"] = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: describeOperation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "robot-daemon",
      version,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    paths,
    components: { schemas: { Problem: toJsonSchema(Problem, "output") } },
  };
}
