export interface ProcessEntry {
  pid: number;
  parent: number;
  /** Process group. */
  group: number;
  /** Start time in the system's own form: distinguishes the process from an earlier or later one with the same pid. */
  started: string;
  /** Seconds of processor time so far. */
  cpuSeconds: number;
  /** And of its children that have ended and were reaped; 0 where only `ps` tells. */
  reapedCpuSeconds: number;
  /** Resident memory. */
  memoryBytes: number;
}

/** Clock ticks a second, on all Linux machines that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * Reads /proc/PID/stat (proc(5)): no entry for a process that has ended or waits to be reaped. Fields, counted from 1:
 * 3 state, 4 parent, 5 group, 14 and 15 processor ticks, 16 and 17 those of reaped children, 22 start in ticks since the
 * boot, 24 pages.
 * @param boot id of the boot, part of the start time
 * @param pageBytes size of a page of memory: 4096 on most machines, 16384 or 65536 on some with ARM processors
 */
export function parseStat(stat: string, boot: string, pageBytes: number): ProcessEntry[] {
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const textOf = (number: number): string | undefined => fields[number - 3];
  const field = (number: number): number => Number(textOf(number));
  const [state, parent] = fields;
  if (parent === undefined || state === "Z" || state === "X") return [];
  return [
    {
      pid: Number.parseInt(stat, 10),
      parent: field(4),
      group: field(5),
      started: `${boot}:${textOf(22)}`,
      cpuSeconds: (field(14) + field(15)) / TICKS_PER_SECOND,
      reapedCpuSeconds: (field(16) + field(17)) / TICKS_PER_SECOND,
      memoryBytes: field(24) * pageBytes,
    },
  ];
}

/**
 * The size of a page of memory: the power of two nearest to the quotient, since the memory may have changed between the
 * two readings.
 * @param residentBytes resident memory of a process
 * @param statm its /proc/PID/statm; field 2 is its resident memory in pages
 */
export function pageBytesOf(residentBytes: number, statm: string): number {
  return 2 ** Math.round(Math.log2(residentBytes / Number(statm.split(" ")[1])));
}

/** Reads one line of `ps -A -o pid=,ppid=,pgid=,stat=,time=,rss=,lstart=`: no entry for one that waits to be reaped. */
export function parsePsLine(line: string): ProcessEntry[] {
  const pattern = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\d+)\s+(.*?)\s*$/;
  const [, pid, parent, group, state, time = "", kibibytes, started = ""] = pattern.exec(line) ?? [];
  if (state === undefined || state.startsWith("Z")) return [];
  return [
    {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      started,
      cpuSeconds: secondsOf(time),
      reapedCpuSeconds: 0,
      memoryBytes: Number(kibibytes) * 1024,
    },
  ];
}

/** `[[days-]hours:]minutes:seconds` */
function secondsOf(time: string): number {
  const [days, clock] = time.includes("-") ? time.split("-") : ["0", time];
  return (clock ?? "").split(":").reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
}
