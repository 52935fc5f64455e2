/** The header that carries the secret of a workshop. */
export const WORKSHOP_SECRET_HEADER = "x-workshop-secret";

/** The variable that gives a daemon the secret of its workshop. */
export const WORKSHOP_SECRET_VARIABLE = "ROBOT_WORKSHOP_SECRET";

/** A secret, and the name of a file in the app's folder that carries one to the daemon; tools leave such files out. */
export const WORKSHOP_SECRET = /^[\w-]{20,100}$/;
export const SECRET_FILE = /^\.robot-edit-[\w-]{1,80}\.secret$/;

/** The link of a dashboard that has the secret; a fragment is sent to no server. @param url ends without "/" */
export const workshopLink = (url: string, secret: string): string => `${url}/#workshop=${secret}`;
