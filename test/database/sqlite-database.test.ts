import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sql } from "kysely";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { backupDatabase, restoreDatabase } from "#src/database/backup.ts";
import { openSqliteFile } from "#src/database/sqlite.ts";
import { existingFileOf } from "#src/database/sqlite-database.ts";
import { startFailure } from "#src/program.ts";
import { openTestDatabase, standingClock, temporaryFolder } from "../support/databases.ts";
import { openTestStores, restoring } from "./use-store.ts";

const clock = standingClock("2026-11-19T12:00:00Z");
/** Waits for no readers: in these tests every other holder keeps the file. */
const open = (url: string) => openTestDatabase(url, clock, { sqlite: { readersMs: 50 } });

describe("the lock of a SQLite file", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  let url: string;
  const holders: ChildProcess[] = [];

  const begin = (): ChildProcess => {
    const holder = fork(new URL("hold-database.ts", import.meta.url), [url], { silent: true });
    holders.push(holder);
    return holder;
  };
  const hold = async (): Promise<ChildProcess> => {
    const holder = begin();
    await once(holder, "message");
    return holder;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };

  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, "balcao.db");
    url = `sqlite:${file}`;
  });
  afterEach(() => {
    for (const holder of holders.splice(0)) holder.kill("SIGKILL");
    folder.remove();
  });

  test("refuses a second process, which says what to do; S17: also by a hard link, which is refused at rest too, and when the file beside the database was deleted", async () => {
    const holder = await hold();
    const inUse = { kind: "database_in_use" };
    await expect(open(url)).rejects.toMatchObject(inUse);
    await expect(open(url)).rejects.toThrow(/Another process is using .*balcao\.db: stop it first/);
    const other = join(folder.path, "other.db");
    linkSync(file, other);
    await expect(open(`sqlite:${other}`)).rejects.toMatchObject(inUse);
    rmSync(`${file}.lock`);
    await expect(open(url)).rejects.toMatchObject(inUse);
    await kill(holder);
    await expect(open(`sqlite:${other}`)).rejects.toMatchObject({ kind: "unsafe_database" });
    rmSync(other);
    await (await open(url)).close();
  });

  test("is free at once after kill -9, and the database is whole", async () => {
    await kill(await hold());
    expect(readdirSync(folder.path).filter((name) => name.includes("lock"))).toEqual([
      "balcao.db.lock",
    ]);
    const database = await open(url);
    expect(await database.db.selectFrom("meta").selectAll().execute()).toHaveLength(1);
    await database.close();
  });

  test("is not dropped by a second attempt in the same process", async () => {
    const first = await open(url);
    await expect(open(url)).rejects.toMatchObject({ kind: "database_in_use" });
    expect(await text(begin().stderr!)).toContain("Another process is using");
    await first.close();
  });

  test("holds whatever name the file is opened by", async () => {
    const first = await open(url);
    symlinkSync(file, join(folder.path, "other.db"));
    await expect(open(`sqlite:${join(folder.path, "other.db")}`)).rejects.toMatchObject({
      kind: "database_in_use",
    });
    await first.close();
  });

  test("of another tool is awaited once and, until it ends, no more: each wait stops all answers", async () => {
    const first = await open(url);
    const waitMs = async () =>
      (await sql<{ timeout: number }>`pragma busy_timeout`.execute(first.db)).rows[0]?.timeout;
    await sql`pragma busy_timeout = 1`.execute(first.db);
    const tool = openSqliteFile(file);
    tool.exec("begin immediate");
    await expect(first.probeWrite()).rejects.toThrow("database is locked");
    expect(await first.db.selectFrom("meta").selectAll().execute()).toEqual([]);
    expect(await waitMs()).toBe(0);
    tool.close();
    await first.db.transaction().execute(async () => {});
    expect(await waitMs()).toBe(5_000);
    await first.close();
  });

  test("lets other tools read the database, for a backup", async () => {
    const first = await open(url);
    await first.probeWrite();
    const tool = openSqliteFile(file, { readOnly: true });
    expect(tool.prepare("select count(*) as n from meta").get()).toEqual({ n: 1 });
    tool.close();
    await first.probeWrite();
    await first.close();
  });

  test("S17: holds also when this process tried and gave up, so that no lock of the holder is lost", async () => {
    const first = await open(url);
    rmSync(`${file}.lock`);
    await expect(open(url)).rejects.toMatchObject({ kind: "database_in_use" });
    rmSync(`${file}.lock`);
    expect(await text(begin().stderr!)).toContain("Another process is using");
    await first.close();
  });

  test("S17: holds also when its holder lets go of the database without closing it", async () => {
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const begun = async (): Promise<void> => void (await open(url));
    await begun();
    // Databases are closed some turns after they were collected.
    for (let turn = 0; turn < 5; turn++) {
      collect();
      await setImmediate();
    }
    await expect(open(url)).rejects.toMatchObject({ kind: "database_in_use" });
  });

  test("S17: is had by one of several that start at the same instant", async () => {
    await (await open(url)).close();
    const starts = Array.from({ length: 4 }, () => begin());
    // Each process either reports that it holds the file, or ends.
    const outcomes = await Promise.all(
      starts.map((start) =>
        Promise.race([
          once(start, "message").then(() => "has it"),
          once(start, "exit").then(() => "ended"),
        ]),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "has it")).toHaveLength(1);
  });
});

test.each(["balcao.db", "link"])(
  "a restore of %s that was killed between its two renames is named by the next start, which begins no empty database in its place",
  async (name) => {
    const folder = temporaryFolder();
    const file = join(folder.path, "balcao.db");
    symlinkSync("balcao.db", join(folder.path, "link"));
    const url = `sqlite:${join(folder.path, name)}`;
    const before = await open(`sqlite:${file}`);
    await openTestStores(before);
    await before.close();
    const copy = join(folder.path, "copy");
    await backupDatabase(url, copy, {});
    renameSync(file, `${file}.replaced-20261119T120000000Z`);
    writeFileSync(`${file}.restoring`, readFileSync(copy));
    const error: unknown = await open(url).catch((refusal: unknown) => refusal);
    const { code, advice } = startFailure(error);
    expect({ code, began: existsSync(file) }).toEqual({ code: 78, began: false });
    expect(advice).toContain("npm run restore -- FILE");
    await restoreDatabase(url, copy, restoring);
    await (await open(url)).close();
    folder.remove();
  },
);

test("a DATABASE_URL that names a folder is refused as a wrong setting, and the folder stays open to its user", async () => {
  const folder = temporaryFolder();
  const place = join(folder.path, "data");
  mkdirSync(place, { mode: 0o755 });
  const error = await open(`sqlite:${place}`).catch((thrown: unknown) => thrown);
  expect(statSync(place).mode & 0o777).toBe(0o755);
  expect(startFailure(error)).toEqual({
    code: 78,
    advice: `${place} is no file: name a file in a folder, such as sqlite:./data/balcao.db (DATABASE_URL).`,
  });
  expect(readdirSync(folder.path)).toEqual(["data"]);
  folder.remove();
});

describe("a DATABASE_URL at which no file can be", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let copy: string;
  beforeAll(async () => {
    folder = temporaryFolder();
    copy = join(folder.path, "balcao.backup");
    const database = await open(`sqlite:${copy}`);
    await openTestStores(database);
    await database.close();
    symlinkSync(join(folder.path, "unmounted"), join(folder.path, "link"));
    return folder.remove;
  });

  const programs: readonly (readonly [string, (url: string) => unknown])[] = [
    ["start", open],
    ["restore", (url) => restoreDatabase(url, copy, restoring)],
    ["backup", (url) => backupDatabase(url, join(folder.path, "second.backup"), {})],
    // It opens the database only where there is one.
    ["rotate-keys", async (url) => existingFileOf(url)],
  ];
  const refusal = async (work: (url: string) => unknown, url: string) => {
    const before = readdirSync(folder.path);
    const error: unknown = await Promise.resolve(work(url)).catch((thrown: unknown) => thrown);
    expect(readdirSync(folder.path)).toEqual(before);
    return startFailure(error);
  };

  test.each(programs)("%s names the link to a disk that is not mounted", async (_, work) => {
    const link = join(folder.path, "link");
    for (const path of [link, join(link, "balcao.db"), join(link, "data", "balcao.db")])
      expect(await refusal(work, `sqlite:${path}`)).toEqual({
        code: 75,
        advice: `The link ${link} leads nowhere: mount its disk first.`,
      });
  });

  test.each(programs.slice(1))("%s refuses a database in memory", async (_, work) => {
    expect(await refusal(work, "sqlite::memory:")).toEqual({
      code: 78,
      advice:
        ":memory: is no file: name a file in a folder, such as sqlite:./data/balcao.db (DATABASE_URL).",
    });
    expect(existsSync(":memory:")).toBe(false);
  });

  test.each(programs)("%s refuses a file in the place of a folder", async (_, work) => {
    for (const path of [join(copy, "balcao.db"), join(copy, "data", "balcao.db")])
      expect(await refusal(work, `sqlite:${path}`)).toEqual({
        code: 78,
        advice: `${path} is no file: name a file in a folder, such as sqlite:./data/balcao.db (DATABASE_URL).`,
      });
  });
});

test("S16: a SQLite file that is broken is found at the start, named with what to do, and left without a lock, so that it can be replaced", async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, "balcao.db");
  const url = `sqlite:${file}`;
  // Several pages of rows, of which one is overwritten.
  const database = await open(url);
  for (let index = 0; index < 300; index += 1)
    await database.db
      .insertInto("meta")
      .values({ name: `fact-${index}`, value: "x".repeat(100) })
      .execute();
  await database.close();
  const bytes = readFileSync(file);
  const page = bytes.indexOf("fact-150") & ~4_095;
  bytes.fill(0xff, page, page + 2_000);
  writeFileSync(file, bytes);

  await expect(open(url)).rejects.toMatchObject({ kind: "corrupt_database" });
  await expect(open(url)).rejects.toThrow(/damaged.*npm run restore -- FILE/);
  rmSync(file);
  await (await open(url)).close();
  folder.remove();
});
