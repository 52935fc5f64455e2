/** How the processes of a certification are kept apart, as this machine allows it. */
export interface IsolationPlan {
  /** Each lane has a network of its own with loopback alone. */
  network: boolean;
  /** Each lane has a small file system of its own for what the app writes. */
  quota: boolean;
  /** A Python that the app cannot have changed, for the harness itself. */
  python: string;
  /** How the app is run under bubblewrap; null: plainly. */
  bubblewrap: Bubblewrap | null;
  /** Names of variables that the app inherits besides; plainly it inherits all. */
  secrets?: readonly string[];
  /** Whether the app is given a provider of chat and speech that answers from a script. */
  provider?: boolean;
  /** Why bubblewrap is not used; null when it is. */
  reason: string | null;
}

/** The program bubblewrap, and what it needs to know of this machine. */
export interface Bubblewrap {
  /** Path of the program. */
  path: string;
  /** Options that older versions do not have, and this one has. */
  knows: readonly ("--disable-userns" | "--size")[];
  /** Folders of the Python that environments are made from. */
  pythonFolders: readonly string[];
}

/** Bytes that an app may have in its folders, and the number of files; more does not fit into its file system. */
export const QUOTA_BYTES = 320 * 2 ** 20;
export const QUOTA_FILES = 20_000;

/** Folders as an app under bubblewrap sees them. They are those of an ordinary computer, and tell nothing of a certification. */
export const INSIDE = {
  data: "/var/lib/robot-daemon",
  venv: "/var/lib/robot-daemon/apps_venv",
  work: "/var/lib/robot-daemon/work",
  temporary: "/tmp",
  sharedMemory: "/dev/shm",
  home: "/home/robot",
  elsewhere: "/srv",
  instrument: "/run/instrument",
  trace: "/run/trace",
} as const;
