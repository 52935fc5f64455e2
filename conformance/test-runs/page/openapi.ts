import { z } from "zod";

const METHODS = ["get", "post", "put", "patch", "delete"];
const REQUEST_MS = 3000;

/** The part of JSON Schema that FastAPI uses for parameters and bodies. */
export interface Schema {
  type?: string | undefined;
  enum?: readonly unknown[] | undefined;
  const?: unknown;
  anyOf?: readonly Schema[] | undefined;
  allOf?: readonly Schema[] | undefined;
  $ref?: string | undefined;
  properties?: Readonly<Record<string, Schema>> | undefined;
  required?: readonly string[] | undefined;
  items?: Schema | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  exclusiveMaximum?: number | undefined;
}

const JsonSchema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    anyOf: z.array(JsonSchema).optional(),
    allOf: z.array(JsonSchema).optional(),
    $ref: z.string().optional(),
    properties: z.record(z.string(), JsonSchema).optional(),
    required: z.array(z.string()).optional(),
    items: JsonSchema.optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    exclusiveMaximum: z.number().optional(),
  }),
);

const Operation = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema: JsonSchema.optional() })).optional(),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: JsonSchema.optional() })) }).optional(),
});

const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), JsonSchema).optional() }).optional(),
});

/** A route that an app declares, with the schemas of what it takes. */
export interface RouteSchema {
  /** In upper case. */
  method: string;
  /** For example `/energy/{percent}`. */
  path: string;
  parameters: readonly { name: string; in: "path" | "query"; schema: Schema }[];
  /** Null for a route without a JSON body. */
  body: Schema | null;
}

/** The routes of an OpenAPI 3.1 document. @throws Error when it does not answer or is none */
export async function readRoutes(
  base: string,
): Promise<{ routes: RouteSchema[]; schemas: Readonly<Record<string, Schema>> }> {
  const response = await fetch(`${base}/openapi.json`, { signal: AbortSignal.timeout(REQUEST_MS) });
  const { paths, components } = Document.parse(await response.json());
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => routeOf(method, path, Operation.parse(operation))),
  );
  return { routes, schemas: components?.schemas ?? {} };
}

function routeOf(
  method: string,
  path: string,
  { parameters = [], requestBody }: z.infer<typeof Operation>,
): RouteSchema {
  const known = parameters.flatMap(({ name, in: place, schema = {} }) =>
    place === "path" || place === "query" ? [{ name, in: place, schema } as const] : [],
  );
  return {
    method: method.toUpperCase(),
    path,
    parameters: known,
    body: requestBody?.content["application/json"]?.schema ?? null,
  };
}
