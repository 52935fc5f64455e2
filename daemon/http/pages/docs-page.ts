import type { OpenApi, Operation, Schema } from "../openapi.ts";
import { escapeHtml } from "./page.ts";
import { shape } from "./shape.ts";

/** The interface as a page for people, from the OpenAPI document alone. `base` is where it is served. Returns HTML. */
export function docsPage(document: OpenApi, base: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag));
    return `<h2 id="${tag}">${tag}</h2>${own.map((one) => detailsOf(one, base)).join("")}`;
  });
  return (
    `<h1>${escapeHtml(document.info.title)} ${escapeHtml(document.info.version)}</h1><p>${escapeHtml(document.info.description)}</p>` +
    `<p>${tags.map((tag) => `<a href="#${tag}">${tag}</a>`).join(" · ")} · <a href="/openapi.json">openapi.json</a> · ` +
    `<a href="/">dashboard</a></p>${sections.join("")}`
  );
}

interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

function detailsOf({ method, path, operation }: Listed, base: string): string {
  const { parameters, requestBody, responses } = operation;
  const body = requestBody?.content["application/json"]?.schema;
  const parts = [
    part(
      "Parameters",
      list(parameters.map(({ name, in: place, schema }) => `${code(name)} (${place}) ${kindOf(schema)}`)),
    ),
    part("Body", body && pretty(body)),
    part(
      "Answers",
      list(Object.entries(responses).map(([status, { description }]) => `${code(status)} ${escapeHtml(description)}`)),
    ),
    ...Object.values(responses[200]?.content ?? {}).map(({ schema }) => part("Answer", schema && pretty(schema))),
    part("Try", `<pre>${escapeHtml(curl(method, base + path, body !== undefined))}</pre>`),
  ];
  return (
    `<details id="${escapeHtml(`${method} ${path}`)}"><summary><b class="method">${method}</b> ${code(path)}` +
    `<span>${escapeHtml(operation.summary)}</span></summary><div>${parts.join("")}</div></details>`
  );
}

const part = (title: string, html: string | undefined): string => (html ? `<h3>${title}</h3>${html}` : "");
const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;
const list = (items: string[]): string => (items.length > 0 ? `<ul><li>${items.join("</li><li>")}</li></ul>` : "");
const pretty = (schema: Schema): string => `<pre>${escapeHtml(shape(schema))}</pre>`;

function kindOf(schema: Schema): string {
  const preset = schema.default === undefined ? "" : `, ${JSON.stringify(schema.default)} when absent`;
  return escapeHtml(`${shape(schema)}${preset}${schema.description ? `: ${schema.description}` : ""}`);
}

function curl(method: string, url: string, hasBody: boolean): string {
  const way = method === "GET" ? "curl" : `curl -X ${method}`;
  const body = hasBody ? ` -H 'Content-Type: application/json' -d '{}'` : "";
  return `${way} ${url.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}${body}`;
}
