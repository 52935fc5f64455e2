import { createServer } from "node:net";
import { portHolder } from "../../../common/machine/port-holder.ts";
import type { AppStatus } from "../../../robot/wire/apps/app-status.ts";
import type { InstalledApp } from "../catalogue/installed-app.ts";

/** Gives an app's page another port than that of its address. */
export const PAGE_PORT_VARIABLE = "ROBOT_APP_PAGE_PORT";
/** Says who has the port of an app's page, for its error. */
export const PAGE_PORT_HOLDER_VARIABLE = "ROBOT_APP_PAGE_PORT_HOLDER";

/**
 * An app whose page cannot have its port, because another program does. A bundled one gets another port, since nobody who runs it
 * has its source; any other fails, and says who has the port.
 * @param running the status of the slot: the app that runs there gives its port back before the next one starts
 */
export async function withPagePort(
  app: InstalledApp,
  running: AppStatus | null,
  isBundled: boolean,
): Promise<InstalledApp> {
  const url = app.info.extra.custom_app_url;
  const port = portOf(url);
  if (port === null || typeof url !== "string" || port === portOf(running?.info.extra.custom_app_url)) return app;
  if (await canListen(port)) return app;
  if (!isBundled) return { ...app, page: { holder: (await portHolder(port)) ?? "a program of another user" } };
  const other = await freePort();
  const moved = new URL(url);
  moved.port = String(other);
  return {
    ...app,
    page: { port: other },
    info: { ...app.info, extra: { ...app.info.extra, custom_app_url: moved.href } },
  };
}

const portOf = (url: unknown): number | null =>
  typeof url === "string" && URL.canParse(url) ? Number(new URL(url).port || 80) : null;

/** Opens a port of this machine, 0 for a free one, and closes it. @returns the port @throws Error of the system */
function tryListen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject).listen(port, "127.0.0.1", () => {
      const { port: opened } = server.address() as { port: number };
      server.close(() => resolve(opened));
    });
  });
}

const freePort = (): Promise<number> => tryListen(0);
const canListen = (port: number): Promise<boolean> =>
  tryListen(port).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "EADDRINUSE",
  );
