import type { OpenApi, Operation, Schema } from "../openapi.ts";
import { escapeHtml } from "./page.ts";

/** The interface as a page for people, from the OpenAPI document alone. Returns HTML. */
export function docsPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag));
    return `<h2 id="${tag}">${tag}</h2>${own.map(detailsOf).join("")}`;
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

function detailsOf({ method, path, operation }: Listed): string {
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
    part("Try", `<pre>${escapeHtml(curl(method, path, body !== undefined))}</pre>`),
  ];
  return (
    `<details id="${escapeHtml(`${method} ${path}`)}"><summary><b class="method">${method}</b> ${code(path)}` +
    `<span>${escapeHtml(operation.summary)}</span></summary><div>${parts.join("")}</div></details>`
  );
}

const part = (title: string, html: string | undefined): string => (html ? `<h3>${title}</h3>${html}` : "");
const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;
const list = (items: string[]): string => (items.length > 0 ? `<ul><li>${items.join("</li><li>")}</li></ul>` : "");
const pretty = (schema: Schema): string => `<pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`;

function kindOf(schema: Schema): string {
  const { type, minimum, maximum, default: preset, enum: choices } = schema;
  const range = minimum !== undefined && maximum !== undefined ? ` from ${minimum} to ${maximum}` : "";
  const otherwise = preset === undefined ? "" : `, ${JSON.stringify(preset)} when absent`;
  return escapeHtml(`${(choices as string[] | undefined)?.join(", ") ?? String(type ?? "any")}${range}${otherwise}`);
}

function curl(method: string, path: string, hasBody: boolean): string {
  const way = method === "GET" ? "curl" : `curl -X ${method}`;
  const body = hasBody ? ` -H 'Content-Type: application/json' -d '{}'` : "";
  return `${way} http://127.0.0.1:8000${path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}${body}`;
}
