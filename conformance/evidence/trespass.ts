/**
 * What an app did outside of what is its own:
 * - `environment`: changed files of the shared Python environment, of other apps or of the daemon
 * - `left-behind`: left something that runs without it, such as a unit or a profile
 * - `token`: printed the daemon's access token or wrote it into a file
 * - `daemon`: asked the daemon for what is its user's to decide
 * - `port`: listens on the network besides its page
 */
export const TRESPASSES = ["environment", "left-behind", "token", "daemon", "port"] as const;

export interface Trespass {
  kind: (typeof TRESPASSES)[number];
  /** For a sentence about the app: `changed robot_sdk/__init__.py`. */
  what: string;
}
