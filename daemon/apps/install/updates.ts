import type { AppOrigin } from "../../../robot/wire/apps/app-origin.ts";
import type { AppInfo, AppUpdate } from "../../../robot/wire/apps/app-status.ts";
import { WorkbenchError } from "../../../robot/wire/errors.ts";
import type { HubClient } from "../hub/hub-client.ts";
import { spaceIdIn } from "../hub/space-address.ts";

/**
 * Where an installed app can be installed from again: the address of its space, or its folder.
 * @throws WorkbenchError `bad-request` for one that was installed by hand
 */
export function originOf({ name, extra: { origin } }: AppInfo): AppOrigin {
  if (origin !== undefined) return origin;
  const next = "Update it in the same way, or install it from its space or folder first.";
  throw new WorkbenchError("bad-request", `${name} was put into the environment by hand. ${next}`);
}

/**
 * The installed apps whose space has a newer commit. Spaces that were deleted, or are on another hub, have no updates.
 * @throws WorkbenchError `hub-token`, `hub-unreachable`; the signal's reason
 */
export async function updatesOf(apps: readonly AppInfo[], hub: HubClient, signal: AbortSignal): Promise<AppUpdate[]> {
  const found = await Promise.all(apps.map((app) => updateOf(app, hub, signal)));
  return found.filter((update) => update !== null);
}

async function updateOf(
  { name, extra: { origin } }: AppInfo,
  hub: HubClient,
  signal: AbortSignal,
): Promise<AppUpdate | null> {
  if (origin?.kind !== "hf_space") return null;
  try {
    const { sha } = await hub.space(spaceIdIn(origin.from, hub.url), signal);
    return sha === origin.revision ? null : { name, url: origin.from, installed: origin.revision, available: sha };
  } catch (error) {
    const isGone = error instanceof WorkbenchError && ["space-not-found", "address-refused"].includes(error.code);
    if (isGone) return null;
    throw error;
  }
}
