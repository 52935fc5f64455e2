import path from "node:path";
import type { HubClient } from "../../hub/hub-client.ts";
import { isAddress, spaceIdIn } from "../../hub/space-address.ts";
import { localFolder } from "./folder-source.ts";
import type { AppSource } from "./source.ts";
import { spaceSource } from "./space-source.ts";

/**
 * The source for what a person typed: the address of a space, or a folder of this machine.
 * @throws WorkbenchError `address-refused`
 */
export function parseSource(text: string, hub: HubClient): AppSource {
  if (isAddress(text)) return spaceSource(hub, spaceIdIn(text, hub.url));
  return localFolder(path.resolve(text));
}
