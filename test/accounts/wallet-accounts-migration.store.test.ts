import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { startFailure } from "#src/program.ts";
import type { Database } from "#src/schema.ts";
import type { Vault } from "#src/database/vault.ts";
import type { WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import { databases, openTestDatabase, standingClock } from "../support/databases.ts";
import { ANA, anaKey, BRUNO, GUILD, NOON } from "../database/builders.ts";
import {
  LAST_ASKING,
  nameWallets,
  OLD_ACCOUNT,
  openUpgraded,
  withTablesOf,
  writeUnnamed,
} from "../database/old-database.ts";
import { openTestStores } from "../database/use-store.ts";

const ELSEWHERE = "900000000000000002";
/** Sorts after the id of the first connection. */
const SECOND = "account-two-of-an-old-version";
const BRUNOS = "brunos-account-of-an-old-version";
const at = NOON.toString({ smallestUnit: "millisecond" });

const addAccount = async (
  db: Database,
  vault: Vault,
  { id, guildId, ownerId }: { id: string; guildId: string; ownerId: string },
): Promise<void> => {
  const verified = ownerId === ANA ? 1 : 0;
  await sql`
    insert into account (id, guild_id, owner_id, connected_by, api_key, api_key_kid, key_last4, key_fingerprint,
      owner_verified, report_consent, report_consent_at, alerts, paused_at, connected_at)
    values (${id}, ${guildId}, ${ownerId}, ${ownerId}, ${vault.seal({ rowId: id, ownerId }, anaKey)},
      ${vault.currentKid}, '7e1b', ${vault.fingerprint(anaKey)}, ${verified}, 0, null, 'direct', null, ${at})
  `.execute(db);
  await sql`
    insert into dispute_poll (account_id, next_poll_at, counts, baseline_at)
    values (${id}, ${at}, '{"byStatus":{}}', ${at})
  `.execute(db);
};

const addDispute = (db: Database, accountId: string, infractionId: string, steps: string[]) =>
  sql`
  insert into dispute_watch (account_id, infraction_id, txid, amount_cents, frozen_cents, status, analysis_status,
    due_at, version, first_seen_at, done_steps, read_at)
  values (${accountId}, ${infractionId}, 'TX1', 1000, 940, 'pending', 'pending', '2026-11-25T12:00:00.000Z', 3,
    ${at}, ${JSON.stringify(steps)}, ${at})
`.execute(db);

const addAlert = (db: Database, accountId: string, infractionId: string, state: string) =>
  sql`
  insert into outbox (dedupe_key, kind, target_kind, target_id, line, guild_id, account_id, payload, nonce, state,
    attempts, token, was_blocked, not_before, line_at, created_at, settled_at)
  values (${`med|${accountId}|${infractionId}|new|2026-11-25T12:00:00.000Z`}, 'dispute_alert', 'person', ${ANA},
    ${`dispute_alert:${accountId}|${infractionId}`}, ${GUILD}, ${accountId}, '{}', ${infractionId}, ${state}, 0, 0, 0,
    ${at}, ${at}, ${at}, ${state === "due" ? null : at})
`.execute(db);

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

/** In the SQL of version 3: Ana connected one key in two guilds, and Bruno the same key in one. */
const fill = async (db: Database, vault: Vault): Promise<void> => {
  await sql`
    insert into dispute_poll (account_id, next_poll_at, counts) values (${OLD_ACCOUNT}, ${at}, '{}')
  `.execute(db);
  await addAccount(db, vault, { id: SECOND, guildId: ELSEWHERE, ownerId: ANA });
  await addAccount(db, vault, { id: BRUNOS, guildId: GUILD, ownerId: BRUNO });
  await addDispute(db, OLD_ACCOUNT, "both", ["new"]);
  await addDispute(db, SECOND, "both", ["new", "72h"]);
  await addDispute(db, SECOND, "second-alone", ["new"]);
  await addDispute(db, SECOND, "untold", ["new"]);
  await addDispute(db, BRUNOS, "both", ["new"]);
  await addAlert(db, SECOND, "second-alone", "sent");
  await addAlert(db, SECOND, "untold", "due");
  await addOperation(db, vault.fingerprint(anaKey));
};

describe.each(databases)("a database of the third version on $name", (kind) => {
  test("S11: an owner's connections of one key become one watch, and nothing told is told again", async () => {
    const { open, db } = await openUpgraded(kind, 3, fill);
    const { accounts, disputeWatch, outbox } = await openTestStores(open);
    const [here, there] = [await accounts.find(GUILD, ANA), await accounts.find(ELSEWHERE, ANA)];
    const bruno = await accounts.find(GUILD, BRUNO);
    expect([here?.watchId, there?.watchId]).toEqual([OLD_ACCOUNT, OLD_ACCOUNT]);
    expect(bruno?.watchId).toBe(BRUNOS);
    const watched = await disputeWatch.of(OLD_ACCOUNT);
    const steps = watched.map(({ infractionId, doneSteps }) => [infractionId, doneSteps]);
    expect(Object.fromEntries(steps)).toEqual({
      both: ["new", "72h"],
      "second-alone": ["new"],
      // Its alert waited under the other connection's key; the watch enqueues it again under its own.
      untold: [],
    });
    expect((await disputeWatch.pollState(OLD_ACCOUNT))?.counts).toBeUndefined();
    expect((await disputeWatch.pollState(OLD_ACCOUNT))?.baselineAt).toBeDefined();
    expect(await disputeWatch.pollState(SECOND)).toBeUndefined();
    expect((await disputeWatch.of(BRUNOS)).map(({ infractionId }) => infractionId)).toEqual([
      "both",
    ]);
    const key = `med|${SECOND}|untold|new|2026-11-25T12:00:00.000Z`;
    expect(await outbox.state(key)).toBe("obsolete");
    expect((await accounts.ofWatch(SECOND))?.told.id).toBe(OLD_ACCOUNT);
    expect((await db.selectFrom("dispute_poll").selectAll().execute()).length).toBe(2);
  });

  test("S2: what is open stays locked under its wallet account, once that is known", async () => {
    const { open } = await openUpgraded(kind, 3, fill);
    const { accounts, journal, vault } = await openTestStores(open);
    const accountFp = vault.hashWalletUser(ANA);
    expect((await accounts.find(GUILD, BRUNO))?.accountFp).toBe(accountFp);
    expect(await journal.lockOf(accountFp)).toMatchObject({ id: "W-OLD23", accountFp });
    const found = await accounts.findByFingerprint(accountFp, ANA);
    expect(found?.apiKey.reveal()).toBe(anaKey.reveal());
  });
});

describe.each(databases)(
  "a database of a version that knew accounts by their keys, on $name",
  (kind) => {
    const clock = standingClock(NOON.toString());

    test.each<[string, number, (db: Database, vault: Vault) => Promise<unknown>]>([
      ["a connection", 3, async () => {}],
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
            for (const table of ["account", "withdraw_op", "outbox"] as const)
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
      expect((await journal.claimedTxids(accountFp)).toSorted()).toEqual(["TX1", "TX2"]);
      expect((await journal.find("W-2"))?.accountFp).toBe(vault.fingerprint(anaKey));
      expect((await journal.find("W-4"))?.accountFp).toBe("removed");
    });
  },
);
