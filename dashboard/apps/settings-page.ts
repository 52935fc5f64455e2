import type { AppInfo } from "../../robot/wire/apps/app-status.ts";

/**
 * The path under which the daemon serves the settings page that the app announces (`http://0.0.0.0:8042/start`), each app at
 * an address of its own. Undefined when the app has no page or announces no valid address.
 */
export function settingsPage({ name, extra }: AppInfo): string | undefined {
  const announced = extra.custom_app_url;
  if (typeof announced !== "string" || !URL.canParse(announced)) return undefined;
  const { protocol, pathname, search } = new URL(announced);
  if (protocol !== "http:" && protocol !== "https:") return undefined;
  return `./apps/${encodeURIComponent(name)}/page${pathname}${search}`;
}
