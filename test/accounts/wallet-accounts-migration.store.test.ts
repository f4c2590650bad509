import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { startFailure } from "#src/program.ts";
import type { Database } from "#src/schema.ts";
import type { Vault } from "#src/database/vault.ts";
import type { WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import { databases, openTestDatabase, standingClock } from "../support/databases.ts";
import { ANA, anaKey, GUILD, NOON } from "../database/builders.ts";
import {
  LAST_ASKING,
  nameWallets,
  OLD_ACCOUNT,
  withTablesOf,
  writeUnnamed,
} from "../database/old-database.ts";
import { openTestStores } from "../database/use-store.ts";

const at = NOON.toString({ smallestUnit: "millisecond" });

const addOperation = (
  db: Database,
  account: string,
  state: WithdrawState = "unknown",
  txid: string | null = null,
  id = "W-OLD23",
) =>
  sql`
  insert into withdraw_op (id, account_fp, account_id, guild_id, channel_id, owner_id, interaction_id, locale, kind,
    pix_key_masked, pix_key_hash, state, version, confirmations_left, txid, absences, checks, created_at, updated_at)
  values (${id}, ${account}, ${OLD_ACCOUNT}, ${GUILD}, ${GUILD}, ${ANA}, 'i1', 'pt-BR', 'normal', 'm', 'h', ${state},
    4, 0, ${txid}, 0, 0, ${at}, ${at})
`.execute(db);

describe.each(databases)(
  "a database of a version that knew accounts by their keys, on $name",
  (kind) => {
    const clock = standingClock(NOON.toString());

    test.each<[string, number, (db: Database, vault: Vault) => Promise<unknown>]>([
      [
        "a connection",
        3,
        (db) =>
          sql`
            insert into dispute_poll (account_id, next_poll_at) values (${OLD_ACCOUNT}, ${at})
          `.execute(db),
      ],
      [
        "a connection",
        LAST_ASKING,
        (db) => sql`update account set account_fp = key_fingerprint`.execute(db),
      ],
      [
        "an open withdrawal of a removed connection",
        3,
        async (db, vault) => {
          await sql`delete from account`.execute(db);
          await addOperation(db, vault.fingerprint(anaKey));
        },
      ],
      [
        "the second open withdrawal of a wallet account",
        LAST_ASKING,
        async (db, vault) => {
          await nameWallets(db, vault);
          await addOperation(db, vault.fingerprint(anaKey), "manual", null);
        },
      ],
    ])(
      "S2: is refused with %s under its key alone (version %i), and left as it was",
      async (_, version, fill) => {
        const { url, drop } = await kind.createEmpty();
        onTestFinished(drop);
        await writeUnnamed(url, version, fill);
        const rowsOf = async () => {
          const rows: unknown[] = [];
          await withTablesOf(version, url, async (db) => {
            for (const table of ["account", "withdraw_op", "outbox", "dispute_poll"] as const)
              rows.push(await db.selectFrom(table).selectAll().execute());
          });
          return rows;
        };
        const before = await rowsOf();
        const error: unknown = await openTestDatabase(url, clock).catch(
          (thrown: unknown) => thrown,
        );
        const { code, advice } = startFailure(error);
        expect(code).toBe(78);
        expect(advice).toMatch(
          /^This database holds connections .* \(1\): run commit 410d0987 on it once/,
        );
        expect(await rowsOf()).toEqual(before);
      },
    );

    test("S2: is taken once its keys are known, with the withdrawals that ended under them", async () => {
      const { url, drop } = await kind.createEmpty();
      await writeUnnamed(url, LAST_ASKING);
      await expect(openTestDatabase(url, clock)).rejects.toThrow("known only by their API key");
      await withTablesOf(LAST_ASKING, url, async (db, vault) => {
        await nameWallets(db, vault);
        const [key, wallet] = [vault.fingerprint(anaKey), vault.hashWalletUser(ANA)];
        await addOperation(db, wallet, "completed", "TX1", "W-1");
        await addOperation(db, key, "completed", "TX1", "W-2");
        await addOperation(db, key, "failed", "TX2", "W-3");
        await addOperation(db, "removed", "completed", "TX3", "W-4");
      });
      const open = await openTestDatabase(url, clock);
      onTestFinished(async () => {
        await open.close();
        await drop();
      });
      const { accounts, journal, vault } = await openTestStores(open);
      const accountFp = vault.hashWalletUser(ANA);
      expect((await accounts.find(GUILD, ANA))?.accountFp).toBe(accountFp);
      const claimants = await journal.claimantsOf(accountFp, ["TX1", "TX2", "TX3"]);
      expect([...claimants.keys()].toSorted()).toEqual(["TX1", "TX2"]);
      expect((await journal.find("W-2"))?.accountFp).toBe(vault.fingerprint(anaKey));
      expect((await journal.find("W-4"))?.accountFp).toBe("removed");
    });
  },
);
