import { z } from "zod";
import { ERRORS } from "../../robot/wire/errors.ts";
import type { Route } from "./route.ts";

const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(ERRORS) as [string, ...string[]]),
});

/** JSON Schema of a zod schema, as OpenAPI 3.1 embeds it. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

const json = (schema: Record<string, unknown>) => ({ "application/json": { schema } });

function operationOf(route: Route): Record<string, unknown> {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const query = route.query ? schemaOf(route.query, "input") : {};
  const inQuery = Object.entries((query.properties ?? {}) as Record<string, unknown>).map(([name, schema]) => ({
    name,
    in: "query",
    schema,
  }));
  const codes = [...route.errors, ...(route.body || route.query ? (["bad-request"] as const) : [])];
  const failures: Record<string, unknown> = {};
  for (const status of new Set(codes.map((code) => ERRORS[code].status))) {
    const named = [...new Set(codes)].filter((code) => ERRORS[code].status === status);
    failures[status] = {
      description: named.map((code) => `${code}: ${ERRORS[code].title}`).join("; "),
      content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
    };
  }
  return {
    tags: [route.tag],
    summary: route.summary,
    parameters: [...inPath, ...inQuery],
    ...(route.body ? { requestBody: { required: true, content: json(schemaOf(route.body, "input")) } } : {}),
    responses: {
      200: { description: "Done", ...(route.result ? { content: json(schemaOf(route.result, "output")) } : {}) },
      ...failures,
    },
  };
}

/** The OpenAPI 3.1 document of these routes. */
export function openApiDocument(routes: readonly Route[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "robot-daemon", version, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    paths,
    components: { schemas: { Problem: schemaOf(Problem, "output") } },
  };
}
