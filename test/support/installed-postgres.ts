import { execFileSync } from "node:child_process";
import { chownSync, existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./databases.ts";

const outputOf = (program: string, ...options: readonly string[]): string =>
  execFileSync(program, options, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

/** PostgreSQL's programs, and a user who may run its server, since root may not. */
const findInstalled = () => {
  try {
    const programs = outputOf("pg_config", "--bindir");
    const isRoot = process.getuid?.() === 0;
    const idOf = (option: string): number => Number(outputOf("id", option, "postgres"));
    const owner = isRoot ? { uid: idOf("-u"), gid: idOf("-g") } : undefined;
    return existsSync(join(programs, "initdb")) ? { programs, owner } : undefined;
  } catch {
    return undefined;
  }
};

/** Undefined where PostgreSQL's server is not installed. */
export const installedPostgres = findInstalled();

/** A server of the same version as the installed tools: pg_dump refuses newer servers. */
export const startInstalledPostgres = ({
  programs,
  owner,
}: NonNullable<typeof installedPostgres>) => {
  const folder = temporaryFolder();
  if (owner !== undefined) chownSync(folder.path, owner.uid, owner.gid);
  const run = (program: string, ...options: readonly string[]): void =>
    void execFileSync(join(programs, program), options, {
      ...owner,
      cwd: folder.path,
      stdio: "ignore",
    });
  const data = `--pgdata=${join(folder.path, "data")}`;
  const at = `host=${encodeURIComponent(folder.path)}&user=postgres`;
  run("initdb", data, "--username=postgres", "--auth=trust", "--no-sync", "--encoding=UTF8");
  const settings = `-c listen_addresses= -c unix_socket_directories=${folder.path}`;
  run("pg_ctl", "start", "--wait", data, "--log=log", `--options=${settings}`);
  return {
    create: (name: string): string => {
      run("createdb", `--host=${folder.path}`, "--username=postgres", name);
      return `postgres:///${name}?${at}`;
    },
    stop: (): void => {
      run("pg_ctl", "stop", "--mode=immediate", data);
      folder.remove();
    },
  };
};
