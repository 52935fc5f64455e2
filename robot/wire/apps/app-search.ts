import type { AppInfo } from "./app-status.ts";

/** The form in which names of apps compare: PEP 503, with the underscore of Python modules. */
export function normaliseName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "_");
}

export function sameName(one: string, other: string): boolean {
  return normaliseName(one) === normaliseName(other);
}

/** The apps that contain every word of a query in the name, the author, the title or the description. */
export function searchApps(apps: readonly AppInfo[], query: string): AppInfo[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return apps.filter(({ name, description, extra }) => {
    const text = [name, name.replace(/[-_.]+/g, " "), description, extra.author, extra.title].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
