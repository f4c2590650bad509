import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase, standingClock, temporaryFolder } from "../support/databases.ts";

const clock = standingClock("2026-11-19T12:00:00Z");
const open = (url: string) => openTestDatabase(url, clock);

describe("the lock of a SQLite file", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let url: string;
  let holder: ChildProcess | undefined;

  const hold = async (): Promise<ChildProcess> => {
    holder = fork(new URL("hold-database.ts", import.meta.url), [url]);
    await once(holder, "message");
    return holder;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };

  beforeEach(() => {
    folder = temporaryFolder();
    url = `sqlite:${join(folder.path, "balcao.db")}`;
  });
  afterEach(() => {
    holder?.kill("SIGKILL");
    folder.remove();
  });

  test("refuses a second process, which says what to do", async () => {
    await hold();
    await expect(open(url)).rejects.toMatchObject({ kind: "database_in_use" });
    await expect(open(url)).rejects.toThrow(/Another process is using .*balcao\.db: stop it first/);
  });

  test("is free at once after kill -9, and the database is whole", async () => {
    for (let round = 0; round < 3; round += 1) {
      await kill(await hold());
      expect(readdirSync(folder.path).filter((name) => name.includes("lock"))).toEqual([
        "balcao.db.lock",
      ]);
      const database = await open(url);
      expect(await database.db.selectFrom("meta").selectAll().execute()).toHaveLength(1);
      await database.close();
    }
  });

  test("is free after the database was closed", async () => {
    const first = await open(url);
    await expect(open(url)).rejects.toMatchObject({ kind: "database_in_use" });
    await first.close();
    await (await open(url)).close();
  });

  test("is not dropped by a second attempt in the same process", async () => {
    const first = await open(url);
    await expect(open(url)).rejects.toMatchObject({ kind: "database_in_use" });
    const child = fork(new URL("hold-database.ts", import.meta.url), [url], { silent: true });
    expect(await text(child.stderr!)).toContain("Another process is using");
    await first.close();
  });

  test("holds whatever name the file is opened by", async () => {
    const first = await open(url);
    symlinkSync(join(folder.path, "balcao.db"), join(folder.path, "other.db"));
    await expect(open(`sqlite:${join(folder.path, "other.db")}`)).rejects.toMatchObject({
      kind: "database_in_use",
    });
    await first.close();
  });

  test("lets other tools read the database, for a backup", async () => {
    const first = await open(url);
    await first.probeWrite();
    const tool = new Sqlite(join(folder.path, "balcao.db"), { readonly: true });
    expect(tool.prepare("select count(*) as n from meta").get()).toEqual({ n: 1 });
    tool.close();
    await first.probeWrite();
    await first.close();
  });
});
