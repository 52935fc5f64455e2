import type { OpenApi, Operation, Schema } from "../rest/openapi.ts";
import { escapeHtml } from "./page.ts";
import { schemaText } from "./schema-text.ts";

/** Renders the OpenAPI document as an HTML page. @param base URL of the daemon, for the examples */
export function docsPage(document: OpenApi, base: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const sections = tags.map((tag) => {
    const tagged = operations.filter(({ operation }) => operation.tags.includes(tag));
    return `<h2 id="${tag}">${tag}</h2>${tagged.map((listed) => renderOperation(listed, base)).join("")}`;
  });
  return (
    `<h1>${escapeHtml(document.info.title)} ${escapeHtml(document.info.version)}</h1><p>${escapeHtml(document.info.description)}</p>` +
    `<p>${tags.map((tag) => `<a href="#${tag}">${tag}</a>`).join(" · ")} · <a href="/openapi.json">openapi.json</a> · ` +
    `<a href="/">dashboard</a></p>${sections.join("")}`
  );
}

interface ListedOperation {
  method: string;
  path: string;
  operation: Operation;
}

function renderOperation({ method, path, operation }: ListedOperation, base: string): string {
  const { parameters, requestBody, responses } = operation;
  const body = requestBody?.content["application/json"]?.schema;
  const sections = [
    section(
      "Parameters",
      list(parameters.map(({ name, in: place, schema }) => `${code(name)} (${place}) ${describeParameter(schema)}`)),
    ),
    section("Body", body && formatSchema(body)),
    section(
      "Responses",
      list(Object.entries(responses).map(([status, { description }]) => `${code(status)} ${escapeHtml(description)}`)),
    ),
    ...Object.values(responses[200]?.content ?? {}).map(({ schema }) =>
      section("Response body", schema && formatSchema(schema)),
    ),
    section("Example", `<pre>${escapeHtml(curl(method, base + path, body !== undefined))}</pre>`),
  ];
  return (
    `<details id="${escapeHtml(`${method} ${path}`)}"><summary><b class="method">${method}</b> ${code(path)}` +
    `<span>${escapeHtml(operation.summary)}</span></summary><div>${sections.join("")}</div></details>`
  );
}

const section = (title: string, html: string | undefined): string => (html ? `<h3>${title}</h3>${html}` : "");
const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;
const list = (items: string[]): string => (items.length > 0 ? `<ul><li>${items.join("</li><li>")}</li></ul>` : "");
const formatSchema = (schema: Schema): string => `<pre>${escapeHtml(schemaText(schema))}</pre>`;

function describeParameter(schema: Schema): string {
  const defaultText = schema.default === undefined ? "" : `, ${JSON.stringify(schema.default)} by default`;
  return escapeHtml(`${schemaText(schema)}${defaultText}${schema.description ? `: ${schema.description}` : ""}`);
}

function curl(method: string, url: string, hasBody: boolean): string {
  const command = method === "GET" ? "curl" : `curl -X ${method}`;
  const body = hasBody ? ` -H 'Content-Type: application/json' -d '{}'` : "";
  return `${command} ${url.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}${body}`;
}
