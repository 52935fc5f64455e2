import type { AppInfo } from "./apps.ts";

/** The form in which names of apps compare: PEP 503, with the underscore of Python modules. */
export function normaliseName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "_");
}

export function sameName(one: string, other: string): boolean {
  return normaliseName(one) === normaliseName(other);
}

/** Those in which every word of a query occurs: in the name, the author, the title or the description. */
export function matching(apps: readonly AppInfo[], query: string): AppInfo[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return apps.filter(({ name, description, extra }) => {
    const text = [name, name.replace(/[-_.]+/g, " "), description, extra.author, extra.title].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
