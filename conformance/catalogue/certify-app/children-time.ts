const TICKS_PER_SECOND = 100;

/**
 * Fields 16 and 17 of /proc/PID/stat (proc(5)): processor time of the children of a process that have ended.
 * @param stat text of the file; empty where there is none
 * @returns seconds
 */
export function endedChildrenSeconds(stat: string): number {
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(13, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}
