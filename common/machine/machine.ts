import { kill, pid } from "node:process";
import { ownersOfConnection } from "./connection-owner.ts";
import { commandOf, environmentVariable, identityOf, type ProcessIdentity, ProcessTable } from "./process-table.ts";
import { killSuccessors } from "./successors.ts";

/** The processes of a machine, for code that watches and ends some of them: this one, or a simulated one. */
export interface Machine {
  /** Of the process that asks. */
  readonly pid: number;
  /** @throws Error when the process table cannot be read */
  readTable(): Promise<ProcessTable>;
  /** As `process.kill`: a negative number is a process group, signal 0 only looks. @throws Error of the system */
  kill(pid: number, signal: NodeJS.Signals | 0): unknown;
  identityOf(pid: number): Promise<ProcessIdentity | null>;
  environmentVariable(pid: number, name: string): Promise<string | undefined>;
  commandOf(pid: number): string[];
  killSuccessors: typeof killSuccessors;
  ownersOfConnection: typeof ownersOfConnection;
}

export const thisMachine: Machine = {
  pid,
  readTable: () => ProcessTable.read(),
  kill,
  identityOf,
  environmentVariable,
  commandOf,
  killSuccessors,
  ownersOfConnection,
};

/**
 * Whether a process has this pid, or, with its negative number, a process group has members. Needs no process table, but
 * cannot tell a process from a later one with its pid.
 */
export function pidExists(pid: number, machine: Pick<Machine, "kill"> = thisMachine): boolean {
  try {
    machine.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Sends a signal to a process, or to all of a group with its negative number. */
export function sendSignal(pid: number, signal: NodeJS.Signals, machine: Pick<Machine, "kill"> = thisMachine): void {
  try {
    machine.kill(pid, signal);
  } catch {
    // It has ended, or is another user's.
  }
}
