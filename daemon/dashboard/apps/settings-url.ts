import type { AppInfo } from "../../../robot/wire/apps/app-status.ts";

/**
 * The address of the app's settings page: the port and path that the app announces (`http://0.0.0.0:8042`) on the host
 * that serves this page, with the app's name: a browser that keeps pages keeps one for each app. Undefined when the app has no settings page or announces no valid address.
 */
export function settingsUrl(app: AppInfo, page: { hostname: string }): string | undefined {
  const announced = app.extra.custom_app_url;
  if (typeof announced !== "string" || !URL.canParse(announced)) return undefined;
  const url = new URL(announced);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  url.hostname = page.hostname;
  url.searchParams.set("app", app.name);
  return url.href;
}
