const EVERY_MS = 200;

/**
 * A SIGTERM for npm ends npm and the shell between, which passes it to nobody: it is this process's as soon as its
 * parent is gone. Started without npm, a process may outlive its shell.
 */
export const endWithNpm = (): void => {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, EVERY_MS);
  timer.unref();
};
