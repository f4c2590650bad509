import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { rootCertificates } from "node:tls";
import pg from "pg";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { backupDatabase, restoreDatabase } from "#src/database/backup.ts";
import { parseKeyRing } from "#src/database/encryption.ts";
import { openSqliteFile } from "#src/database/sqlite.ts";
import { runPostgresTool } from "#src/database/postgres-tools.ts";
import type { StoreErrorKind } from "#src/shared/store-errors.ts";
import { openVault } from "#src/database/vault.ts";
import {
  databases,
  openTestDatabase,
  standingClock,
  temporaryFolder,
  testRandom,
} from "../support/databases.ts";
import { installedPostgres, startInstalledPostgres } from "../support/installed-postgres.ts";
import { PROGRAM_ENVIRONMENT } from "../support/program-environment.ts";
import { runHere } from "../support/run-here.ts";
import { asBoundUser } from "./bound-user.ts";
import { NOON } from "./builders.ts";
import { writeOldDatabase } from "./old-database.ts";
import { restoring, ringLine, testRing, WALLET } from "./use-store.ts";

const settings = (url: string) => ({
  DATABASE_URL: url,
  WALLET_BASE_URL: WALLET,
  MASTER_KEY: ringLine("first"),
});
const run = (
  program: "backup" | "restore",
  url: string,
  file: string,
  changes: Readonly<Record<string, string>> = {},
) => runHere(program, { ...settings(url), ...changes }, file);

/** Runs a program as npm does, for a user whom permissions of files bind, as they do not root. */
const runBound = (program: "backup" | "restore", url: string, file: string) => {
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const how = { env: { ...PROGRAM_ENVIRONMENT, ...settings(url) }, ...user };
  const { status, output } = spawnSync(process.execPath, [`src/${program}.ts`, file], how);
  return { code: status, said: output.join("") };
};

const clock = standingClock(NOON.toString());
const otherRing = { ring: parseKeyRing(ringLine("second")) };
const fails = (work: Promise<unknown>, kind: StoreErrorKind, words: string) =>
  expect(work).rejects.toMatchObject({ kind, message: expect.stringContaining(words) });
const noStack = (said: string): void => expect(said).not.toMatch(/ {4}at |node:internal/);

describe("npm run backup and npm run restore on SQLite", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  let url: string;
  let copy: string;
  let holder: ChildProcess | undefined;

  /** A bot in a process of its own, which holds the database. */
  const hold = async (): Promise<void> => {
    holder = fork(new URL("hold-database.ts", import.meta.url), [url]);
    await once(holder, "message");
  };
  const release = async (): Promise<void> => {
    if (holder === undefined) return;
    const gone = once(holder, "exit");
    holder.kill("SIGKILL");
    await gone;
    holder = undefined;
  };
  const marked = (path: string): unknown => {
    const database = openSqliteFile(path);
    const row = database.prepare("select value from meta where name = 'mark'").get();
    database.close();
    return (row as { value: string } | undefined)?.value;
  };
  const mark = (value: string): void => {
    const database = openSqliteFile(file);
    database
      .prepare(
        "insert into meta values ('mark', ?) on conflict (name) do update set value = excluded.value",
      )
      .run(value);
    database.close();
  };

  const filled = temporaryFolder();
  beforeAll(async () => {
    const filledUrl = `sqlite:${join(filled.path, "balcao.db")}`;
    await writeOldDatabase(filledUrl, 3);
    await (await openTestDatabase(filledUrl, clock)).close();
    return filled.remove;
  });
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, "balcao.db");
    url = `sqlite:${file}`;
    copy = join(folder.path, "balcao.backup");
    cpSync(filled.path, folder.path, { recursive: true });
    return () => release().then(folder.remove);
  });

  it("S3: a backup is taken while the bot runs, is one whole file in the folder of its caller and is put back whole, there and elsewhere", async () => {
    await hold();
    mark("at the backup");
    const backup = await run("backup", url, "balcao.backup", { INIT_CWD: folder.path });
    expect(backup).toMatchObject({ code: 0 });
    expect(backup.said).toContain(`Wrote ${copy}: `);
    expect(backup.said).toContain("MASTER_KEY) is not in it");
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    mark("after the backup");

    const refused = await run("restore", url, copy);
    expect(refused.code).toBe(75);
    expect(refused.said).toContain("Another process is using");
    await release();

    const restored = await run("restore", url, relative("", copy));
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.said).toContain(`Put back ${copy}.`);
    expect(restored.said).toMatch(/kept as .*balcao\.db\.replaced-\d+T\d+Z/);
    expect(marked(file)).toBe("at the backup");
    const kept = readdirSync(folder.path).find((name) => /replaced-\w+$/.test(name));
    expect(marked(join(folder.path, kept!))).toBe("after the backup");
    expect(existsSync(`${file}.restoring`)).toBe(false);
    expect(marked(copy)).toBe("at the backup");

    const next = await openTestDatabase(url, clock);
    expect(next.storage.noticed).toBe("restored");
    await next.close();

    // A backup restored to an empty place on another machine counts as restored too.
    const elsewhere = join(folder.path, "new", "place.db");
    expect(await run("restore", `sqlite:${elsewhere}`, copy)).toMatchObject({ code: 0 });
    const there = await openTestDatabase(`sqlite:${elsewhere}`, clock);
    expect(there.storage.noticed).toBe("restored");
    await there.close();
  });

  it("a restore takes no option for its file", async () => {
    const { code, said } = await run("restore", url, "--help");
    expect(code).toBe(78);
    expect(said).toContain("npm run restore -- FILE");
    noStack(said);
  });

  it("a file that is there is never overwritten", async () => {
    writeFileSync(copy, "precious");
    await fails(backupDatabase(url, copy, {}), "backup_refused", "is there already");
    expect(readFileSync(copy, "utf8")).toBe("precious");
  });

  it("a copy that is damaged, foreign or of another key ring is refused, and the database stays; a damaged database is replaced and kept", async () => {
    mark("mine");
    await backupDatabase(url, copy, {});
    const put = (path: string, needs = restoring) => restoreDatabase(url, path, needs);
    const wrong = put(copy, { ...restoring, ...otherRing });
    await fails(wrong, "wrong_key_ring", "does not open this database");
    const letter = join(folder.path, "letter");
    writeFileSync(letter, "somebody's letter ".repeat(300));
    const words = "letter is damaged or is no database: put another backup back";
    await fails(put(letter), "corrupt_database", words);
    const foreign = join(folder.path, "foreign.db");
    const other = openSqliteFile(foreign);
    other.exec("create table a (b)");
    other.close();
    await expect(put(foreign)).rejects.toThrow("is no database");
    await expect(put(join(folder.path, "nowhere"))).rejects.toThrow("There is no file ");
    expect(marked(file)).toBe("mine");
    expect(existsSync(`${file}.restoring`)).toBe(false);

    writeFileSync(file, "rubble ".repeat(2_000));
    const { replaced } = await put(copy);
    expect(readFileSync(replaced!, "utf8")).toContain("rubble");
    expect(marked(file)).toBe("mine");

    for (const end of ["", "-shm"]) writeFileSync(`${file}${end}`, "rubble ".repeat(2_000));
    mkdirSync(join(`${replaced!}-shm`, "in the way"), { recursive: true });
    await expect(put(copy)).rejects.toThrow("-shm");
    expect(marked(`${file}.restoring`)).toBe("mine");
  });

  it.each([
    ["everywhere", 0],
    ["in its tables", 4_096 * 8],
  ])(
    "a database that is damaged %s is told by its own name, and no copy is left",
    async (_, from) => {
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill("rubble ", from, from + 4_096 * 8));
      const words = `${file} is damaged or is no database: put a backup back`;
      await fails(backupDatabase(url, copy, {}), "corrupt_database", words);
      expect(existsSync(copy)).toBe(false);
    },
  );

  it.each(["none", "balcao.db"])("no backup is begun where %s is no folder", async (name) => {
    const begun = backupDatabase(url, join(folder.path, name, "balcao.backup"), {});
    const message = `There is no folder ${join(folder.path, name)}: create it first`;
    await expect(begun).rejects.toMatchObject({ kind: "backup_refused", message });
  });

  it("a file that this user may not read is told as such, by a backup and by a restore", async () => {
    await backupDatabase(url, copy, {});
    chmodSync(folder.path, 0o777);
    for (const path of [file, copy]) chmodSync(path, 0);
    const backup = runBound("backup", url, join(folder.path, "second.backup"));
    const restored = runBound("restore", `sqlite:${folder.path}/new.db`, copy);
    expect(backup.said).toContain(`${file} cannot be read (`);
    expect(restored.said).toContain(`${copy} cannot be read (EACCES)`);
    for (const { code, said } of [backup, restored]) {
      noStack(said);
      expect(code).toBe(78);
    }
    expect(existsSync(join(folder.path, "second.backup"))).toBe(false);
  });

  it("a DATABASE_URL that names a folder is refused by a backup and by a restore, which leave nothing behind", async () => {
    await backupDatabase(url, copy, {});
    const place = join(folder.path, "data");
    mkdirSync(place, { mode: 0o755 });
    const before = readdirSync(folder.path);
    const second = join(folder.path, "second.backup");
    const message = expect.stringMatching(`^${place} is no file: name a file in a folder, `);
    const refused = { kind: "missing_database", message };
    const backup = backupDatabase(`sqlite:${place}`, second, {});
    await expect(backup).rejects.toMatchObject(refused);
    const restore = restoreDatabase(`sqlite:${place}`, copy, restoring);
    await expect(restore).rejects.toMatchObject(refused);
    expect(statSync(place).mode & 0o777).toBe(0o755);
    expect(readdirSync(folder.path)).toEqual(before);
  });

  it("a folder that is no backup is refused as one, and a place that cannot be written is told by its own name", async () => {
    await backupDatabase(url, copy, {});
    const place = join(folder.path, "data");
    mkdirSync(place, { mode: 0o555 });
    const folderGiven = restoreDatabase(url, place, restoring);
    await expect(folderGiven).rejects.toThrow(`There is no file ${place}`);
    chmodSync(folder.path, 0o755);
    chmodSync(copy, 0o644);
    const restore = () => restoreDatabase(`sqlite:${place}/new.db`, copy, restoring);
    const words = `${place}/new.db cannot be written (EACCES)`;
    await fails(asBoundUser(restore), "disk_unwritable", words);
  });
});

describe("npm run backup and npm run restore on PostgreSQL", () => {
  const kind = databases[1];
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
    return folder.remove;
  });

  const script = (name: string, ...lines: readonly string[]): void => {
    writeFileSync(join(folder.path, name), ["#!/bin/sh", ...lines].join("\n"));
    chmodSync(join(folder.path, name), 0o755);
  };
  /** Stands for PostgreSQL's tool, which no package installs, and a server. Records the tool's arguments. */
  const tool = (name: string, version = 17, server = 17): string => {
    script("psql", `echo ${server}0004`);
    script(
      name,
      `if [ "$1" = --version ]; then echo "${name} (PostgreSQL) ${version}.4 (Debian)"; exit; fi`,
      `echo "$PGPASSWORD" > "${join(folder.path, "password")}"`,
      `for word in "$@"; do echo "$word"; done > "${join(folder.path, "called")}"`,
      `if [ -n "$PGSSLROOTCERT" ]; then cp "$PGSSLROOTCERT" "${join(folder.path, "trusted")}"; fi`,
    );
    return [folder.path, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  };
  const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");
  /** @returns what pg_dump was called with */
  const dump = async (url: string): Promise<string> => {
    await runPostgresTool("pg_dump", url, [], { PATH: tool("pg_dump") });
    return read("called");
  };

  it("the dump is PostgreSQL's own, whose password stands in no list of processes", async () => {
    const PATH = tool("pg_dump");
    const file = join(folder.path, "balcao.dump");
    const url = "postgres://bot:s3cret@db.example:5432/balcao?sslmode=disable";
    const { code, said } = await run("backup", url, file, { PATH });
    expect(said).toContain("create an empty database");
    expect(code).toBe(0);
    const called = read("called");
    expect(called).toContain("--format=custom");
    expect(called).toContain(`--file=${file}`);
    expect(called).toContain("--dbname=postgres://bot@db.example:5432/balcao?sslmode=disable");
    expect(called).not.toContain("s3cret");
    expect(read("password")).toBe("s3cret\n");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["bot:100%^a%40zz%@db.example/balcao", "100%^a@zz%"],
    ["bot:a%zz%e9@db.example/balcao", "a%zz%e9"],
    ["bot:a%2Fb@db.example/my db", "a%2Fb"],
  ])("the password of %s is read as by the bot's own connection", async (address, password) => {
    const url = `postgres://${address}?sslmode=disable`;
    await dump(url);
    expect(read("password")).toBe(`${password}\n`);
    expect(new pg.Client({ connectionString: url }).password).toBe(password);
  });

  it("nor does a password that stands in the address's query, and the rest of it stays as it was", async () => {
    const query = "sslmode=disable&password=old&options=-c%20geqo%3Doff&password=s3%2Bcret%20word";
    const called = await dump(`postgres://bot:unused@db.example/balcao?${query}`);
    const rest = "sslmode=disable&options=-c%20geqo%3Doff";
    expect(called).toContain(`--dbname=postgres://bot@db.example/balcao?${rest}\n`);
    // The bot's own connection takes the last one of the query, before the one in front of the host.
    expect(read("password")).toBe("s3+cret word\n");
  });

  // The tool checks the server's name by `verify-full` alone.
  it.each([
    ["verify-full", "verify-full", true],
    ["verify-ca", "verify-full", true],
    ["require", "verify-full", true],
    ["prefer", "verify-full", true],
    ["no-verify", "require", false],
    ["disable", "disable", false],
    ["verify-full&sslrootcert=own.crt", "verify-full&sslrootcert=own.crt", false],
  ])(
    "by sslmode=%s the tool gets %s and trusts the authorities that the bot does: %s",
    async (mode, word, is) => {
      const called = await dump(`postgres://db.example/balcao?sslmode=${mode}&connect_timeout=5`);
      expect(called).toContain(`/balcao?sslmode=${word}&connect_timeout=5\n`);
      expect(existsSync(join(folder.path, "trusted"))).toBe(is);
      if (is) expect(read("trusted")).toContain(rootCertificates[0]);
    },
  );

  it.each([
    ["pg_dump", 15, 15, true],
    ["pg_dump", 16, 15, true],
    ["pg_dump", 18, 17, true],
    ["pg_dump", 17, 16, false],
    ["pg_dump", 15, 16, false],
    ["pg_restore", 15, 18, true],
    ["pg_restore", 17, 16, false],
  ] as const)("%s of version %d fits a server of version %d: %s", async (name, own, of, is) => {
    const PATH = tool(name, own, of);
    const ran = runPostgresTool(name, "postgres://localhost/balcao", [], { PATH });
    await (is
      ? ran
      : expect(ran).rejects.toThrow(`install PostgreSQL's client tools of version ${of}`));
    expect(existsSync(join(folder.path, "called"))).toBe(is);
  });

  it("says so where the tool is missing, and leaves no file", async () => {
    const file = join(folder.path, "balcao.dump");
    const url = "postgres://db.example/balcao?sslmode=disable";
    await expect(backupDatabase(url, file, { PATH: folder.path })).rejects.toThrow(
      "install PostgreSQL's client tools",
    );
    expect(existsSync(file)).toBe(false);
  });

  it.skipIf(installedPostgres === undefined)(
    "a dump fills an empty database, which one that is refused leaves empty",
    async () => {
      const server = startInstalledPostgres(installedPostgres!);
      onTestFinished(server.stop);
      const PATH = [installedPostgres!.programs, "/usr/bin", "/bin"].join(delimiter);
      const [from, into] = [server.create("one"), server.create("other")];
      const [nothing, file] = [join(folder.path, "nothing"), join(folder.path, "balcao.dump")];
      const bare = ["--format=custom", `--file=${nothing}`];
      await runPostgresTool("pg_dump", from, bare, { PATH });
      const source = await openTestDatabase(from, clock);
      await openVault(source.db, testRing, WALLET, testRandom);
      await source.db.insertInto("meta").values({ name: "mark", value: "at the backup" }).execute();
      await source.close();
      await backupDatabase(from, file, { PATH });

      const needs = { ...restoring, environment: { PATH } };
      const refused = restoreDatabase(into, file, { ...needs, ...otherRing });
      await expect(refused).rejects.toThrow("does not open this database");
      await expect(restoreDatabase(into, nothing, needs)).rejects.toThrow(
        "no backup of this bot's database",
      );
      // A database with tables is refused.
      await restoreDatabase(into, file, needs);

      const next = await openTestDatabase(into, clock);
      const marks = next.db.selectFrom("meta").select("value").where("name", "=", "mark");
      expect(await marks.execute()).toEqual([{ value: "at the backup" }]);
      expect(next.storage.noticed).toBe("restored");
      await next.close();
    },
  );

  it("nothing is put into a database that has tables, or that a bot uses", async () => {
    const PATH = tool("pg_restore");
    const file = join(folder.path, "balcao.dump");
    writeFileSync(file, "dump");
    const test = await kind!.create();
    const open = await openTestDatabase(test.url, clock);
    const restore = () => restoreDatabase(test.url, file, { ...restoring, environment: { PATH } });
    const used = { kind: "database_in_use", message: "A bot is using the database: stop it first" };
    await expect(restore()).rejects.toMatchObject(used);
    await open.close();
    // The server ends the lock of a closed connection a moment later.
    await expect
      .poll(() => restore().catch(({ message }: Error) => message))
      .toContain("create an empty database");
    expect(existsSync(join(folder.path, "called"))).toBe(false);
    await test.drop();
  });
});
