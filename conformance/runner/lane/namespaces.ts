import { pythonScript } from "../../../common/machine/python-script.ts";
import { QUOTA_BYTES, QUOTA_FILES } from "../isolation/isolation-plan.ts";

const SCRIPT = pythonScript("namespaces.py", import.meta.url);

export interface NamespaceOptions {
  /** Path of a Python, which sets the process up. */
  python: string;
  /** Whether it gets a network of its own. */
  network: boolean;
  /** Folder of the file system of its own; null for none. */
  quota: string | null;
}

/** The command that runs another one as a subreaper in namespaces of its own (`namespaces.py`). */
export const inNamespaces = ({ python, network, quota }: NamespaceOptions, command: readonly string[]): string[] => [
  python,
  "-I",
  "-S",
  "-c",
  SCRIPT,
  network ? "network" : "none",
  quota ?? "",
  `size=${QUOTA_BYTES},nr_inodes=${QUOTA_FILES},mode=700`,
  ...command,
];
