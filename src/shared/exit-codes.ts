/** How the process ends, for its supervisor. 75 and 78 are EX_TEMPFAIL and EX_CONFIG of sysexits. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** Restart it after a while. */
  tryLater: 75,
  /** Do not restart it: somebody has to change a setting first. */
  configuration: 78,
} as const;
