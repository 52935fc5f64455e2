import type { IncomingMessage } from "node:http";
import { WorkbenchError } from "../../robot/wire/errors.ts";
import { WORKSHOP_SECRET_HEADER } from "../../robot/wire/workshop/access-secret.ts";
import { isSameSecret } from "../http/access/token.ts";

/**
 * Guards a route: refuses a request without the secret of the workshop: who writes code over HTTP runs it. The secret comes from the terminal
 * that the workshop was started in, so that neither another user of the machine nor a page that gets past the checks of Host
 * and Origin has it.
 * @throws WorkbenchError `workshop-secret`
 */
export const workshopSecretGuard =
  (secret: string) =>
  ({ headers }: IncomingMessage): void => {
    const given = headers[WORKSHOP_SECRET_HEADER];
    if (typeof given === "string" && isSameSecret(given, secret)) return;
    throw new WorkbenchError(
      "workshop-secret",
      `Open the link that the terminal shows in which the workshop was started, or send its secret as ${WORKSHOP_SECRET_HEADER}.`,
    );
  };
