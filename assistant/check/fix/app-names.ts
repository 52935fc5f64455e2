import type { App } from "../app/app.ts";
import { findAppClass, isRun } from "../python/app-class.ts";

/**
 * The class to name in an entry point that is missing or malformed: the class that extends the base
 * class of apps, else the only class that has a run. Undefined without such a class.
 */
export function classNameOf(app: App): string | undefined {
  const found = findAppClass(app);
  if (!("skip" in found)) return found.name;
  if (app.main.status !== "parsed") return undefined;
  const [first, another] = app.main.value.body
    .filter((each) => each.kind === "ClassDef")
    .filter(({ body }) => body.some(isRun));
  return another === undefined ? first?.name : undefined;
}

/** The title of an app for people: `My App` for `my_app`. */
export function titleOf(name: string): string {
  return name
    .split(/[_-]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}
