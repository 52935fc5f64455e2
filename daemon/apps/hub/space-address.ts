import { WorkbenchError } from "../../../robot/wire/errors.ts";

/** What the hub allows in the names of users and of their spaces. */
const ID = /^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/;

/** Whether what a person typed for an app is an address; otherwise it is a folder. */
export const isAddress = (text: string): boolean => /^[a-z][a-z+.-]*:\/\//i.test(text);

/**
 * The id, `USER/APP_NAME`, of the space at an address; addresses outside the configured hub are refused.
 * @throws WorkbenchError `address-refused`
 */
export function spaceIdIn(address: string, hubUrl: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  const base = new URL(`${hubUrl}/`);
  const next = `Give ${hubUrl}/spaces/USER/APP_NAME.`;
  if (url === null) throw new WorkbenchError("address-refused", `${quoted(address)} is not an address. ${next}`);
  if (url.username !== "" || url.password !== "") {
    throw new WorkbenchError("address-refused", "The address holds a user or password: set HF_TOKEN instead.");
  }
  if (url.origin !== base.origin) {
    const other = "Start the daemon with --hub-url for apps of another hub.";
    throw new WorkbenchError("address-refused", `${url.origin} is not the hub of this daemon. ${next} ${other}`);
  }
  const spaces = `${base.pathname}spaces/`;
  const id = url.pathname.startsWith(spaces) ? url.pathname.slice(spaces.length).replace(/\/$/, "") : "";
  if (!ID.test(id))
    throw new WorkbenchError("address-refused", `${quoted(address)} is not the address of a space. ${next}`);
  return id;
}

/** A text that a person typed or pasted, for a message. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
