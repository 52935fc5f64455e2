import { z } from "zod";
import { jsonOrNull } from "../../../robot/wire/validation/parse-json.ts";
import type { OpenApiFacts } from "../../evidence/evidence.ts";
import { requestPage } from "./request-page.ts";

const METHODS = ["get", "post", "put", "patch", "delete"];
const REQUEST_MS = 3000;
/** Where FastAPI has its document. */
const PATH = "/openapi.json";

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

/** Any version of OpenAPI. */
const AnyDocument = z.union([z.object({ openapi: z.string() }), z.object({ swagger: z.string() })]);

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

/** What a page declares; without a document that can be read, no routes. */
export interface DeclaredRoutes {
  routes: readonly RouteSchema[];
  schemas: Readonly<Record<string, Schema>>;
  document: OpenApiFacts;
}

/**
 * Reads the routes of a page from its OpenAPI 3.1 document.
 * @param base address of the page, without a slash at the end
 */
export async function readRoutes(base: string): Promise<DeclaredRoutes> {
  const without = (document: OpenApiFacts): DeclaredRoutes => ({ routes: [], schemas: {}, document });
  try {
    const response = await requestPage(`${base}${PATH}`, { signal: AbortSignal.timeout(REQUEST_MS) });
    const text = await response.text();
    if (response.status >= 500) return without({ unread: `GET ${PATH} gave ${response.status}` });
    if (!response.ok) return without({ missing: `GET ${PATH} gave ${response.status}` });
    const parsed = jsonOrNull(text);
    // Some pages answer every address with the same file.
    if (!AnyDocument.safeParse(parsed).success) return without({ missing: `GET ${PATH} gave no OpenAPI document` });
    return routesOf(parsed);
  } catch (error) {
    const isUnreadable = error instanceof z.ZodError;
    const what = isUnreadable ? "a document that cannot be read" : `no answer (${(error as Error).message})`;
    return without({ unread: `GET ${PATH} gave ${what}` });
  }
}

/** @throws ZodError for a document that is not as expected */
function routesOf(parsed: unknown): DeclaredRoutes {
  const { paths, components } = Document.parse(parsed);
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => routeOf(method, path, Operation.parse(operation))),
  );
  return { routes, schemas: components?.schemas ?? {}, document: { routes: routes.length } };
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
