import { readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;
/** Positions in the fields of /proc/PID/stat that follow the command's closing bracket. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** CPU time that the process has used: user and system, all threads. */
export const cpuSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) / TICKS_PER_SECOND;
};

/**
 * Resident set size: what `ps` shows and what a container is charged with. The proportional size would change with
 * every other Node process of the machine.
 */
export const memoryMb = (pid: number): number => {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Rss:\s+(\d+) kB/m.exec(rollup)?.[1]) / 1024;
};
