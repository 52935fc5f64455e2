import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const LISTEN = "0A";
/** 127.0.0.1 and ::1 as /proc writes them. */
const LOOPBACK = /^(?:[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F)$/;

/** The ports of the network, not of loopback alone, on which one of these processes listens. */
export function portsOnNetwork(pids: readonly number[]): number[] {
  const sockets = new Set(pids.flatMap(socketsOf));
  const ports = ["tcp", "tcp6"].flatMap((table) =>
    linesOf(`/proc/self/net/${table}`).flatMap((line) => {
      const fields = line.trim().split(/\s+/);
      const [address = "", port = ""] = (fields[1] ?? "").split(":");
      const isOpen = fields[3] === LISTEN && !LOOPBACK.test(address) && sockets.has(fields[9] ?? "");
      return isOpen ? [Number.parseInt(port, 16)] : [];
    }),
  );
  return [...new Set(ports)].sort((one, other) => one - other);
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").slice(1);
  } catch {
    return [];
  }
}

/** The inodes of a process' sockets. */
function socketsOf(pid: number): string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
