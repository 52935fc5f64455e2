import { lstatSync, readlinkSync } from "node:fs";
import { PACKAGE_FOLDER } from "../../../common/machine/package-folder.ts";
import type { Bubblewrap } from "./isolation-plan.ts";

/** A folder or file outside, and where it is inside. */
export interface Bind {
  outside: string;
  inside: string;
  writable?: true;
  /** Left out when it does not exist. */
  optional?: true;
}

interface BubblewrapOptions {
  binds: readonly Bind[];
  /** All environment variables. */
  env: Readonly<Record<string, string>>;
}

/** Folders with programs and libraries. On most systems all but the first are links into it. */
const SYSTEM_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** What programs read of the machine's configuration; nothing of it is secret. */
const CONFIGURATION = [
  "alternatives",
  "ca-certificates",
  "fonts",
  "group",
  "hosts",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "mime.types",
  "nsswitch.conf",
  "os-release",
  "passwd",
  "pki",
  "protocols",
  "resolv.conf",
  "services",
  "ssl/certs",
  "ssl/openssl.cnf",
  "timezone",
];
/** User and group inside. */
const USER = "1000";
/** Bytes of shared memory where no folder is given for it. */
const SHARED_MEMORY = 64 * 2 ** 20;
const SHARED_MEMORY_FOLDER = "/dev/shm";

/**
 * The options of bubblewrap (bwrap(1)) for a program that sees programs and libraries read-only, the given folders, and
 * nothing else of the machine: no other processes, no other files, no capabilities. It keeps the network.
 */
export function bubblewrapOptions({ knows, pythonFolders }: Bubblewrap, { binds, env }: BubblewrapOptions): string[] {
  const sized = knows.includes("--size") ? ["--size", String(SHARED_MEMORY)] : [];
  const isGiven = binds.some(({ inside }) => inside === SHARED_MEMORY_FOLDER);
  return [
    ...["--unshare-user", "--uid", USER, "--gid", USER],
    ...(knows.includes("--disable-userns") ? ["--disable-userns"] : []),
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--cap-drop", "ALL"],
    ...SYSTEM_FOLDERS.flatMap(systemFolder),
    ...CONFIGURATION.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    ...pythonFolders.flatMap((folder) => ["--ro-bind", folder, folder]),
    ...["--proc", "/proc", "--dev", "/dev", ...(isGiven ? [] : [...sized, "--tmpfs", SHARED_MEMORY_FOLDER])],
    ...binds.flatMap(({ outside, inside, writable, optional }) => {
      return [`${writable ? "--bind" : "--ro-bind"}${optional ? "-try" : ""}`, outside, inside];
    }),
    ...withoutWorkbench([...SYSTEM_FOLDERS, ...pythonFolders]),
    // bwrap makes a file system in memory for /dev, of no limited size.
    ...["--remount-ro", "/dev", "--remount-ro", "/", "--clearenv"],
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}

/**
 * A command that runs once under bubblewrap; whatever it leaves behind ends with it.
 * @param options `cwd` is a folder inside
 */
export function sandboxed(
  bubblewrap: Bubblewrap,
  options: BubblewrapOptions & { cwd: string },
  command: readonly string[],
): string[] {
  return [
    bubblewrap.path,
    ...bubblewrapOptions(bubblewrap, options),
    "--die-with-parent",
    // With the terminal of the person who certifies, it could type commands there (TIOCSTI).
    "--new-session",
    "--chdir",
    options.cwd,
    "--",
    ...command,
  ];
}

function systemFolder(folder: string): string[] {
  const status = lstatSync(folder, { throwIfNoEntry: false });
  if (status === undefined) return [];
  return status.isSymbolicLink() ? ["--symlink", readlinkSync(folder), folder] : ["--ro-bind", folder, folder];
}

/** Hides the workbench where it is installed among the programs of the system. */
const withoutWorkbench = (shown: readonly string[]): string[] =>
  shown.some((folder) => PACKAGE_FOLDER.startsWith(`${folder}/`))
    ? ["--tmpfs", PACKAGE_FOLDER, "--remount-ro", PACKAGE_FOLDER]
    : [];
