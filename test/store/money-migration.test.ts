import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { WithdrawState } from "#src/domain/withdraw-op.ts";
import { accountsStore } from "#src/store/accounts.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { openVault } from "#src/store/vault.ts";
import { databases, openTestDatabase, standingClock, testRandom } from "../support/databases.ts";
import { ANA, anaKey, GUILD, NOON } from "./builders.ts";
import { oldReport, writeOldDatabase } from "./old-database.ts";
import { testRing, WALLET } from "./use-store.ts";
import type { Database } from "#src/store/schema.ts";
import { journalOf, newOp, opIn, stepTo } from "./withdraw-builders.ts";

const clock = standingClock(NOON.toString());

describe.each(databases)("a database of the first version on $name", ({ createEmpty }) => {
  test("keeps its accounts and what it owes, and takes withdrawals", async () => {
    const database = await createEmpty();
    await writeOldDatabase(database.url, 1);
    const open = await openTestDatabase(database.url, clock);
    const { db, leaseNow } = open;
    const vault = await openVault(db, testRing, WALLET, testRandom);
    const found = await accountsStore(db, vault).findWithKey(GUILD, ANA);
    expect(found?.apiKey.reveal()).toBe(anaKey.reveal());
    expect(await outboxStore(db, leaseNow).state(oldReport.dedupeKey)).toBe("due");
    const accountFp = found!.account.keyFingerprint;
    expect(await accountsStore(db, vault).connectionsOf(accountFp)).toEqual([found?.account]);
    const journal = journalOf({ db, vault, open, url: database.url });
    const op = await opIn(journal, "sending", { accountFp });
    expect(await journal.lockOf(accountFp)).toEqual(op);
    await open.close();
    await database.drop();
  });
});

/** In the words of the third version, whose one index let an account have one operation that was not over. */
const insertOp = (db: Database, account: string, state: WithdrawState, txid: string | null) =>
  sql`
    insert into withdraw_op (id, account_fp, account_id, guild_id, channel_id, owner_id, interaction_id, locale, kind,
      pix_key_masked, pix_key_hash, state, version, confirmations_left, txid, absences, checks, created_at, updated_at)
    values (${`W-${account}`}, ${account}, 'a', ${GUILD}, 'c', ${ANA}, 'i', 'pt-BR', 'turbo', '***', 'h', ${state}, 3,
      0, ${txid}, 0, 0, ${NOON.toString()}, ${NOON.toString()})
  `.execute(db);

describe.each(databases)("a database of the third version on $name", ({ createEmpty }) => {
  const OPEN = [
    ["1", "confirmed", null, "account_busy"],
    ["2", "sending", null, "account_busy"],
    ["3", "unknown", null, "account_busy"],
    ["4", "manual", null, "account_busy"],
    ["5", "manual", "t5", "moved"],
    ["6", "accepted", "t6", "moved"],
    ["7", "scheduled", "t7", "moved"],
    ["8", "processing", "t8", "moved"],
    ["9", "completed", "t9", "moved"],
  ] as const;

  test("S8: keeps its operations, and from then on only an unknown outcome locks an account", async () => {
    const database = await createEmpty();
    await writeOldDatabase(database.url, 3, async (db) => {
      for (const [account, state, txid] of OPEN) await insertOp(db, account, state, txid);
    });
    const open = await openTestDatabase(database.url, clock);
    const vault = await openVault(open.db, testRing, WALLET, testRandom);
    const journal = journalOf({ db: open.db, vault, open, url: database.url });
    const outcomes: unknown[] = [];
    for (const [account, , txid] of OPEN) {
      const draft = await journal.draft(newOp({ accountFp: account }), NOON);
      const { kind } = await journal.move(draft, stepTo("confirmed"), NOON);
      const kept = await journal.find(`W-${account}`);
      outcomes.push([account, kept?.state, kept?.txid ?? null, kind]);
      expect(kept?.txid ?? null).toBe(txid);
    }
    expect(outcomes).toEqual(OPEN);
    await open.close();
    await database.drop();
  });
});
