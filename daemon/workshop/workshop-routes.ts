import type { Response } from "express";
import { z } from "zod";
import { AppStatus } from "../../robot/wire/apps/app-status.ts";
import { AskBody, type AskEvent } from "../../robot/wire/workshop/ask.ts";
import {
  Changes,
  FailurePlace,
  KeepBody,
  OpenWorkshopBody,
  TryBody,
  UndoBody,
  WorkshopContents,
  WorkshopFinding,
  WorkshopStatus,
  WriteResult,
} from "../../robot/wire/workshop/workshop.ts";
import { closeSignalOf } from "../http/connections/scope.ts";
import { type Route, routesOf } from "../http/rest/route.ts";
import { answerAsk } from "./answer-ask.ts";
import { certificationRoutes } from "./certification-routes.ts";
import { eventLines } from "./event-lines.ts";
import { readSecretFile } from "./read-secret-file.ts";
import type { WorkshopHost } from "./workshop-host.ts";
import { checkWorkshopSecret, workshopSecretGuard } from "./workshop-secret.ts";

const { get, post } = routesOf("workshop");

/** Bytes of a body with the texts of an app's files. */
const MAX_BODY_BYTES = 4_000_000;

/** Routes to edit an app's folder, and to open one. */
export function workshopRoutes(host: WorkshopHost): Route[] {
  return [
    get("/api/workshop", {
      summary: "The app that can be edited here, which needs the workshop's secret; null when none can",
      result: WorkshopStatus,
      handle: () => ({ app: host.parts?.workshop.app ?? null }),
    }),
    post("/api/workshop/open", {
      summary: "Let the dashboard edit the app of a folder, in place of any other; for the daemon's own user",
      body: OpenWorkshopBody,
      result: WorkshopStatus,
      errors: ["workshop-secret", "bad-request", "app-invalid"],
      handle: async ({ body: { folder, secret_file } }) => {
        const { workshop } = await host.open(folder, await readSecretFile(folder, secret_file));
        return { app: workshop.app };
      },
    }),
    post("/api/workshop/close", {
      summary: "Let the dashboard no longer edit the app that was opened with this secret",
      body: z.object({ secret: z.string().max(1000) }),
      result: WorkshopStatus,
      errors: ["workshop-secret"],
      handle: async ({ body: { secret } }) => {
        checkWorkshopSecret(host, secret);
        await host.close();
        return { app: host.parts?.workshop.app ?? null };
      },
    }),
    ...editRoutes(host),
    ...certificationRoutes(host),
  ];
}

function editRoutes(host: WorkshopHost): Route[] {
  const contents = async (signal: AbortSignal) => {
    const { workshop, runs } = host.current;
    return { ...(await workshop.contents(signal)), physical: runs.isPhysical };
  };
  /** After a write, whose answer must say that it was done, whatever else goes wrong. */
  const contentsIfReadable = (response: Response) => contents(closeSignalOf(response)).catch(() => null);
  const shared = { guard: workshopSecretGuard(host), maxBodyBytes: MAX_BODY_BYTES } as const;
  return [
    get("/api/workshop/files", {
      ...shared,
      summary: "The app's text files, and the edit that can be undone",
      result: WorkshopContents,
      errors: ["workshop-secret", "check-failed"],
      handle: ({ response }) => {
        void host.current.runs.prepare().catch(() => undefined); // its job says why; a try fails with the reason
        return contents(closeSignalOf(response));
      },
    }),
    post("/api/workshop/check", {
      ...shared,
      summary: "What the check finds in the app with changes that are not kept",
      body: Changes,
      result: z.object({ findings: z.array(WorkshopFinding) }),
      errors: ["workshop-secret", "check-failed", "edit-refused"],
      handle: async ({ body, response }) => ({
        findings: await host.current.workshop.check(body.files, closeSignalOf(response)),
      }),
    }),
    get("/api/workshop/failure", {
      ...shared,
      summary: "Where the traceback of the app's last run leads to, which a fix needs; null without one",
      result: z.object({ place: FailurePlace.nullable() }),
      errors: ["workshop-secret", "check-failed"],
      handle: async ({ response }) => {
        const signal = closeSignalOf(response);
        const { workshop, readLog } = host.current;
        return { place: await workshop.failurePlace(await readLog(signal), signal) };
      },
    }),
    post("/api/workshop/try", {
      ...shared,
      summary: "Run the app with changes, from a copy; answers when its process runs, and writes nothing to its folder",
      body: TryBody,
      result: AppStatus,
      errors: [
        "workshop-secret",
        "edit-refused",
        "confirmation-required",
        "install-failed",
        "app-busy",
        "app-start-failed",
        "start-cancelled",
        "robot-not-ready",
        "robot-fault",
        "shutting-down",
      ],
      handle: ({ body, response }) => host.current.runs.try(body.files, body.confirmed, closeSignalOf(response)),
    }),
    post("/api/workshop/ask", {
      ...shared,
      summary: "Have the code model edit a file: lines of JSON, the last with the edit or why there is none",
      body: AskBody,
      produces: ["application/x-ndjson"],
      errors: ["workshop-secret", "too-many-requests"],
      handle: ({ body, response, admitStream }) => {
        admitStream();
        response.type("application/x-ndjson");
        const signal = closeSignalOf(response);
        const parts = host.current;
        return eventLines<AskEvent>((emit) => answerAsk(parts, body, emit, signal));
      },
    }),
    post("/api/workshop/keep", {
      ...shared,
      summary: "Write changes to the app's folder, all or none; refused when a file has changed since it was read",
      body: KeepBody,
      result: WriteResult,
      errors: ["workshop-secret", "edit-refused", "confirmation-required"],
      handle: async ({ body, response }) => {
        const { workshop, certifications, runs } = host.current;
        const { edit, written } = (await workshop.keep(body)) ?? { edit: null, written: [] };
        if (edit !== null) certifications.start("short");
        const run = await runs.kept(edit, body.files);
        return { edit, written, run, contents: await contentsIfReadable(response) };
      },
    }),
    post("/api/workshop/undo", {
      ...shared,
      summary: "Take code and robot back to before the last edit, or before what was tried",
      body: UndoBody,
      result: WriteResult,
      errors: ["workshop-secret", "edit-refused"],
      handle: async ({ body: { edit }, response }) => {
        const { workshop, certifications, runs } = host.current;
        let written: string[] = [];
        const run = await runs.takeBack(edit, async () => {
          if (edit === null) return;
          written = await workshop.undo(edit);
          certifications.start("short");
        });
        return { edit, written, run, contents: await contentsIfReadable(response) };
      },
    }),
  ];
}
