import type { IncomingMessage } from "node:http";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { WORKSHOP_SECRET_HEADER } from "../../robot/wire/workshop/access-secret.ts";
import { isSameSecret } from "../http/access/token.ts";
import type { WorkshopHost } from "./workshop-host.ts";

/**
 * Returns the check of a route that refuses requests without the secret of the workshop, because a client that can write code
 * over HTTP can run it. The secret comes from the terminal in which the workshop was started, so neither another user of the
 * machine nor a page that passes the checks of Host and Origin has it.
 * @throws WorkbenchError `workshop-secret`
 */
export const workshopSecretGuard =
  (host: Pick<WorkshopHost, "current">) =>
  ({ headers }: IncomingMessage): void =>
    checkWorkshopSecret(host, headers[WORKSHOP_SECRET_HEADER]);

/** @throws WorkbenchError `workshop-secret` when it is not that of the workshop that is open */
export function checkWorkshopSecret(host: Pick<WorkshopHost, "current">, given: unknown): void {
  const { secret } = host.current;
  if (typeof given === "string" && isSameSecret(given, secret)) return;
  throw new WorkbenchError(
    "workshop-secret",
    `Open the link that the terminal shows in which the workshop was started, or send its secret as ${WORKSHOP_SECRET_HEADER}.`,
  );
}
