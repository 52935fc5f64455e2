/** The header that carries the secret of a workshop. */
export const WORKSHOP_SECRET_HEADER = "x-workshop-secret";

/** The variable that gives a daemon the secret of its workshop. */
export const WORKSHOP_SECRET_VARIABLE = "ROBOT_WORKSHOP_SECRET";

/** The link of a dashboard that has the secret; a fragment is sent to no server. @param url ends without "/" */
export const workshopLink = (url: string, secret: string): string => `${url}/#workshop=${secret}`;
