import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startFailure } from "#src/program.ts";
import { Secret } from "#src/shared/secret.ts";
import { openSqliteFile } from "#src/database/sqlite.ts";
import type { OpenDatabase } from "#src/database/database.ts";
import { pixKeyBook } from "#src/withdrawals/pix-key-book.store.ts";
import { parseKeyRing } from "#src/database/encryption.ts";
import { openVault, type Vault } from "#src/database/vault.ts";
import {
  databases,
  openTestDatabase,
  standingClock,
  temporaryFolder,
  type TestDatabase,
  testRandom,
} from "../support/databases.ts";
import { PROGRAM_ENVIRONMENT } from "../support/program-environment.ts";
import { runHere } from "../support/run-here.ts";
import { asBoundUser, giveToBoundUser } from "./bound-user.ts";
import { anaKey, NOON, savedAccount } from "./builders.ts";
import { ringLine, WALLET, testAccounts } from "./use-store.ts";
import { journalOf, opIn } from "../withdrawals/withdraw-builders.ts";

/** Enough rows for kills to land between two batches, few enough for a fast test. */
const SIZES = { SQLite: { rows: 1_000, kills: 2 }, PostgreSQL: { rows: 400, kills: 3 } } as const;
/** The number of kills, for a longer run. */
const WANTED_KILLS = process.env["ROTATION_KILLS"];
/** The number of saved PIX keys, and of open withdrawals. */
const PIX_KEYS = 40;
const clock = standingClock(NOON.toString());
const rings = [
  `${ringLine("first")}\n${ringLine("second")}`,
  `${ringLine("second")}\n${ringLine("first")}`,
] as const;

const keyOf = (index: number): string => `sk_sandbox_${index}_a1b2c3d4`;

const startRotation = (url: string, ring: string): ChildProcess =>
  spawn(process.execPath, ["src/rotate-keys.ts"], {
    env: { ...PROGRAM_ENVIRONMENT, DATABASE_URL: url, MASTER_KEY: ring, WALLET_BASE_URL: WALLET },
    stdio: ["ignore", "pipe", "pipe"],
  });

const ended = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
};

/** Resolves when the process has sealed that many rows with the key, or has ended. Observes it from outside. */
const whenSealed = async (
  url: string,
  kid: string,
  rows: number,
  child: ChildProcess,
): Promise<void> => {
  const statement = `select count(*) as sealed from (
    select api_key_kid as kid from account union all select pix_key_kid from withdraw_op
    union all select key_kid from pix_key) as every where kid = '${kid}'`;
  const file = url.startsWith("sqlite:") ? url.slice("sqlite:".length) : undefined;
  const client = file === undefined ? new pg.Client({ connectionString: url }) : undefined;
  await client?.connect();
  /** Opens and closes the file for each query: an open file would keep the rotation from locking it. */
  const inFile = (path: string): unknown => {
    const sqlite = openSqliteFile(path, { readOnly: true });
    const row = sqlite.prepare(statement).get();
    sqlite.close();
    return row;
  };
  const sealed = async (): Promise<number> => {
    const row: unknown =
      file === undefined ? (await client?.query(statement))?.rows[0] : inFile(file);
    return Number((row as { sealed: unknown }).sealed);
  };
  while (child.exitCode === null && (await sealed()) <= rows) await setTimeout(1);
  await client?.end();
};

const rotation = (url: string, ring: string) =>
  runHere("rotate-keys", { DATABASE_URL: url, MASTER_KEY: ring, WALLET_BASE_URL: WALLET });

const fill = async (url: string, rows: number): Promise<void> => {
  const open = await openTestDatabase(url, clock);
  const vault = await openVault(open.db, parseKeyRing(rings[0]), WALLET, testRandom);
  const { id } = await testAccounts(open.db, vault).save(savedAccount(), anaKey);
  const row = await open.db.selectFrom("account").selectAll().executeTakeFirstOrThrow();
  await open.db.deleteFrom("account").where("id", "=", id).execute();
  await open.db.transaction().execute(async (trx) => {
    for (let index = 0; index < rows; index += 1) {
      const [rowId, ownerId] = [`row-${index}`, String(index)];
      const sealed = vault.seal({ rowId, ownerId }, new Secret(keyOf(index)));
      await trx
        .insertInto("account")
        .values({ ...row, id: rowId, owner_id: ownerId, api_key: sealed })
        .execute();
    }
  });
  const journal = journalOf({ db: open.db, vault, open, url });
  for (let index = 0; index < PIX_KEYS; index += 1) {
    await opIn(journal, "unknown", { accountFp: `fp-${index}`, pixKey: keyOf(index) });
    const key = { hash: `${index}`, value: keyOf(index), type: "email", masked: "***" } as const;
    await pixKeyBook(open.db, vault).save(String(index), key, NOON);
  }
  await open.close();
};

/** Every stored PIX key, in clear text. */
const readPixKeys = async (open: OpenDatabase, vault: Vault, url: string): Promise<string[]> => {
  const journal = journalOf({ db: open.db, vault, open, url });
  const book = pixKeyBook(open.db, vault);
  const ops = await open.db.selectFrom("withdraw_op").select("id").execute();
  const saved = await open.db.selectFrom("pix_key").select(["id", "owner_id"]).execute();
  const keys = await Promise.all([
    ...ops.map(({ id }) => journal.pixKeyOf(id)),
    ...saved.map(({ id, owner_id: ownerId }) => book.reveal(ownerId, id)),
  ]);
  return keys.flatMap((key) => key ?? []);
};

/** Opens every row. Throws when a row, the canary or the fingerprint key cannot be read. */
const readAll = async (
  url: string,
): Promise<{ readonly first: number; readonly second: number }> => {
  const open = await openTestDatabase(url, clock);
  const vault = await openVault(open.db, parseKeyRing(rings[0]), WALLET, testRandom);
  const rows = await open.db
    .selectFrom("account")
    .select(["id", "owner_id", "api_key", "api_key_kid"])
    .execute();
  const sealed = { first: 0, second: 0 };
  const wrong: string[] = [];
  for (const { id, owner_id: ownerId, api_key: apiKey, api_key_kid: kid } of rows) {
    const clear = vault.open({ rowId: id, ownerId }, apiKey).reveal();
    if (clear !== keyOf(Number(ownerId)) || !apiKey.startsWith(`v1.${kid}.`)) wrong.push(id);
    sealed[kid === "first" ? "first" : "second"] += 1;
  }
  expect(wrong).toEqual([]);
  const every = Array.from({ length: PIX_KEYS }, (_, index) => [keyOf(index), keyOf(index)]).flat();
  expect((await readPixKeys(open, vault, url)).toSorted()).toEqual(every.toSorted());
  await open.close();
  return sealed;
};

describe.each(databases)("npm run rotate-keys on $name", (kind) => {
  const { rows } = SIZES[kind.name];
  const kills = WANTED_KILLS === undefined ? SIZES[kind.name].kills : Number(WANTED_KILLS);
  /** Includes the canary and the fingerprint key. */
  const values = rows + 2 * PIX_KEYS + 2;
  let database: TestDatabase;
  beforeEach(async () => {
    database = await kind.create();
    await fill(database.url, rows);
  });
  afterEach(() => database.drop());

  test(
    "killed at any point leaves every value readable, and goes on the next time; says what it did and what is sealed with which key",
    { timeout: 300_000 + 10_000 * kills },
    async () => {
      let inTheMiddle = 0;
      for (let kill = 0; kill < kills; kill += 1) {
        const [to, ring] = kill % 2 === 0 ? (["second", 1] as const) : (["first", 0] as const);
        const child = startRotation(database.url, rings[ring]);
        await whenSealed(database.url, to, (values * kill) / kills, child);
        child.kill("SIGKILL");
        await ended(child);
        const { first, second } = await readAll(database.url);
        expect(first + second).toBe(rows);
        if (first > 0 && second > 0) inTheMiddle += 1;
      }
      expect(inTheMiddle).toBeGreaterThan(0);
      expect((await rotation(database.url, rings[1])).code).toBe(0);
      expect(await readAll(database.url)).toEqual({ first: 0, second: rows });

      // The program is the same on every database.
      if (kind !== databases[0]) return;
      const wrong = await rotation(database.url, ringLine("third"));
      expect(wrong.said).toContain("key ring (MASTER_KEY) does not open this database");
      expect(wrong.said).not.toMatch(/ {4}at |node:/);
      expect(wrong.said).not.toContain(ringLine("third").slice(8, 20));
      expect(wrong.code).toBe(78);

      const whole = await rotation(database.url, rings[0]);
      expect(whole.said).toContain(`Sealed ${values} values anew with the key "first"`);
      expect(whole.said).toContain(`  first: ${values}\n`);
      expect(whole.said).toContain("no longer needed");
      expect(whole.code).toBe(0);
      expect(await readAll(database.url)).toEqual({ first: rows, second: 0 });

      const open = await openTestDatabase(database.url, clock);
      const damaged = { api_key: "v1.second.AAAA.AAAA.AAAA", api_key_kid: "second" };
      await open.db.updateTable("account").set(damaged).where("id", "=", "row-0").execute();
      await open.close();
      const again = await rotation(database.url, rings[0]);
      expect(again.said).toContain("No key of the ring reads this: account row-0.");
      expect(again.said).toContain("Keep every key");
      expect(again.code).toBe(1);
    },
  );
});

test.each([
  ["balcao.db.mark", "read"],
  ["balcao.db.mark.next", "written"],
])("npm run rotate-keys names the file of another user: %s cannot be %s", async (name, how) => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const database = join(folder.path, "balcao.db");
  await (await openTestDatabase(`sqlite:${database}`, clock)).close();
  giveToBoundUser(folder.path);
  const other = join(folder.path, name);
  writeFileSync(other, "{}", { flag: "a" });
  chmodSync(other, 0);
  const opened = asBoundUser(() => openTestDatabase(`sqlite:${database}`, clock));
  const { code, advice } = startFailure(await opened.catch((error: unknown) => error));
  expect(advice).toContain(`${other} cannot be ${how} (EACCES): `);
  expect(code).toBe(75);
});

test("npm run rotate-keys makes no database where there is none", async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const path = join(folder.path, "data", "balcao.db");
  const { code, said } = await rotation(`sqlite:${path}`, rings[1]);
  expect(said).toBe(`There is no database at ${path} (DATABASE_URL).\n`);
  expect(code).toBe(78);
  expect(readdirSync(folder.path)).toEqual([]);
});
