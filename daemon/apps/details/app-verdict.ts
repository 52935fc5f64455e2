import path from "node:path";
import { z } from "zod";
import { ifUnusable } from "../../../common/machine/absent.ts";
import { readRegularFile } from "../../../common/machine/read-if-present.ts";
import { AppVerdict } from "../../../robot/wire/apps/app-details.ts";
import type { AppOrigin } from "../../../robot/wire/apps/app-origin.ts";
import { jsonOrNull } from "../../../robot/wire/validation/parse-json.ts";
import type { HubClient } from "../hub/hub-client.ts";
import { spaceIdIn } from "../hub/space-address.ts";
import { VERDICT_FOLDER } from "../install/fetch/digest.ts";

/** What is read of `verdict.json`, which anybody may have written. */
const VerdictFile = AppVerdict.pick({ verdict: true })
  .extend({
    format: z.literal("robot-app-verdict"),
    startedAt: z.iso.datetime(),
    wheel: z.string().nullish(),
    only: z.null(),
  })
  .transform(({ verdict, startedAt, wheel }) => ({ verdict, at: Date.parse(startedAt), wheel: wheel ?? null }));

const FILE = "verdict.json";
/** Bytes of a verdict that is fetched, and the milliseconds for it. */
const [MAX_BYTES, TIMEOUT_MS] = [4_000_000, 3000];

/** The verdict that an app's folder or space has; null without one that can be read. A part of the requirements is no verdict. */
export async function readVerdict(
  { name, origin }: { name: string; origin: AppOrigin | undefined },
  hub: Pick<HubClient, "url" | "files" | "content">,
): Promise<AppVerdict | null> {
  if (origin === undefined) return null;
  const found =
    origin.kind === "local" ? await inFolder(origin.from, name) : await inSpace(origin, hub).catch(() => []);
  const verdicts = found.flatMap((text) => {
    const { data } = VerdictFile.safeParse(jsonOrNull(text));
    if (data === undefined) return [];
    return [{ verdict: data.verdict, at: data.at, of_installed: data.wheel !== null && data.wheel === origin.wheel }];
  });
  return verdicts.find(({ of_installed }) => of_installed) ?? verdicts[0] ?? null;
}

/** Where `publish` writes it, and `certify`. */
async function inFolder(folder: string, name: string): Promise<string[]> {
  const places = [path.join(folder, VERDICT_FOLDER), path.join(folder, "../certification", name)];
  const texts = await Promise.all(
    places.map((place) => readRegularFile(path.join(place, FILE)).catch(ifUnusable(null))),
  );
  return texts.filter((text) => text !== null);
}

async function inSpace(
  { from, revision }: AppOrigin,
  hub: Pick<HubClient, "url" | "files" | "content">,
): Promise<string[]> {
  if (revision === null) return [];
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const id = spaceIdIn(from, hub.url);
  const files = await hub.files(id, revision, signal);
  const file = files.find((each) => each.path === `${VERDICT_FOLDER}/${FILE}` && each.size <= MAX_BYTES);
  if (file === undefined) return [];
  const pieces: Uint8Array[] = [];
  for await (const piece of hub.content(id, revision, file, signal)) pieces.push(piece);
  return [Buffer.concat(pieces).toString()];
}
