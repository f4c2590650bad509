import { type Selectable, sql } from "kysely";
import { isEntitled } from "../accounts/account-connections.store.ts";
import { recordAudit } from "../database/audit.ts";
import {
  instantOf,
  optionalInstantOf,
  type StoredInstant,
  storedInstant,
  storedOptionalInstant,
} from "../database/columns.ts";
import { createGroupCommit } from "../database/group-commit.ts";
import { lockName } from "../database/queries.ts";
import { latestRestore } from "../database/storage-state.ts";
import type { Database } from "../schema.ts";
import {
  afterCall,
  afterNews,
  type CallTrust,
  type CallSubject,
  mayAnnounce,
  NO_TRUST,
  restUntil,
} from "./call-trust.ts";
import type { Webhook } from "./webhook.ts";

export interface WebhookTable {
  /** Keyed hash by the vault. */
  secret_hash: string;
  account_fp: string;
  owner_id: string;
  made_at: StoredInstant;
  /** Number of the newest restore when the address was made; 0 before any. */
  restores: number;
  last_call_at: StoredInstant | null;
  /** The call before the last one. */
  previous_call_at: StoredInstant | null;
}

/** A missing row means that no news was seen. */
export interface WebhookTrustTable {
  account_fp: string;
  subject: CallSubject;
  announced: number;
  trusted_until: StoredInstant | null;
  unexplained_at: StoredInstant | null;
}

interface WebhookOf {
  readonly accountFp: string;
  readonly ownerId: string;
}

export type Webhooks = ReturnType<typeof webhookStore>;

export const webhookStore = (db: Database, groupCommit = createGroupCommit(db)) => ({
  /** The owner's one address for the wallet account. */
  find: async (of: WebhookOf): Promise<Webhook | undefined> => {
    const row = await rowOf(db, of);
    if (row === undefined) return undefined;
    return {
      madeAt: instantOf(row.made_at),
      lastCallAt: optionalInstantOf(row.last_call_at),
      isFromCopy: row.restores !== (await restoresOf(db)),
    };
  },
  /**
   * Makes the owner's first address for the wallet account, or one in place of that made at `instead`. False where
   * another came before. Audited.
   */
  make: (of: WebhookOf, secretHash: string, at: Temporal.Instant, instead?: Temporal.Instant) =>
    db.transaction().execute(async (trx) => {
      await lockOf(trx, of);
      if ((await rowOf(trx, of))?.made_at !== (instead && storedInstant(instead))) return false;
      await deleteOf(trx, of);
      // The service does not know the new address yet.
      await deleteTrust(trx, of.accountFp);
      await trx
        .insertInto("webhook")
        .values({
          secret_hash: secretHash,
          account_fp: of.accountFp,
          owner_id: of.ownerId,
          made_at: storedInstant(at),
          restores: await restoresOf(trx),
        })
        .execute();
      const { ownerId: actor, accountFp: subject } = of;
      await recordAudit(trx, { at, actor, action: "webhook_made", subject });
      return true;
    }),
  /** Removes the address made at `madeAt`; false when it was gone, or another came in its place. Audited. */
  remove: (of: WebhookOf, madeAt: Temporal.Instant, at: Temporal.Instant) =>
    db.transaction().execute(async (trx) => {
      await lockOf(trx, of);
      if ((await rowOf(trx, of))?.made_at !== storedInstant(madeAt)) return false;
      await deleteOf(trx, of);
      await deleteTrust(trx, of.accountFp);
      const { ownerId: actor, accountFp: subject } = of;
      await recordAudit(trx, { at, actor, action: "webhook_removed", subject });
      return true;
    }),
  /** Marks a call. @returns the wallet account; undefined for an address that is replaced, removed or from a copy */
  called: (secretHash: string, at: Temporal.Instant) =>
    groupCommit(async (trx) => {
      const row = await trx
        .updateTable("webhook")
        .set((eb) => ({
          previous_call_at: eb.ref("last_call_at"),
          last_call_at: storedInstant(at),
        }))
        .where("secret_hash", "=", secretHash)
        .where("restores", "=", await restoresOf(trx))
        .where(isAnswered)
        .returning(["account_fp", "previous_call_at"])
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await lockTrust(trx, row.account_fp);
      const previous = optionalInstantOf(row.previous_call_at);
      const rows = await trustRows(trx, row.account_fp);
      for (const trust of rows.filter(({ subject }) => mayAnnounce(subject, previous, at)))
        await saveTrust(trx, trust, afterCall(trustOf(trust), at));
      return row.account_fp;
    }),
  /** Records that a look found news. @returns until when calls are trusted, if they are */
  foundNews: (accountFp: string, subject: CallSubject, at: Temporal.Instant) =>
    groupCommit(async (trx) => {
      const called = await trx
        .selectFrom("webhook")
        .select(["last_call_at", "previous_call_at"])
        .where("account_fp", "=", accountFp)
        .where("last_call_at", "is not", null)
        .orderBy("last_call_at", "desc")
        .execute();
      // Without a single call there is no trust to end.
      if (called.length === 0) return undefined;
      const [lastCallAt] = called.flatMap((each) => {
        const callAt = optionalInstantOf(each.last_call_at);
        const previous = optionalInstantOf(each.previous_call_at);
        return callAt !== undefined && mayAnnounce(subject, previous, callAt) ? [callAt] : [];
      });
      await lockTrust(trx, accountFp);
      const row = (await trustRows(trx, accountFp)).find((each) => each.subject === subject);
      const before = row === undefined ? NO_TRUST : trustOf(row);
      const after = afterNews(before, lastCallAt, at);
      await saveTrust(trx, { account_fp: accountFp, subject }, after);
      return restUntil(after, at);
    }),
  /** Wallet accounts with trusted calls, while an address that was called goes on taking them. */
  trusted: async (now: Temporal.Instant) => {
    const rows = await db
      .selectFrom("webhook_trust")
      .selectAll()
      .where("trusted_until", ">", storedInstant(now))
      .where(
        "account_fp",
        "in",
        db
          .selectFrom("webhook")
          .select("account_fp")
          .where("restores", "=", await restoresOf(db))
          .where("last_call_at", "is not", null)
          .where(isAnswered),
      )
      .execute();
    return rows.flatMap((row) => {
      const until = restUntil(trustOf(row), now);
      return until === undefined
        ? []
        : [{ accountFp: row.account_fp, subject: row.subject, until }];
    });
  },
  /** Wallet accounts whose calls were trusted at some time, also where that has ended: their next look may be far away. */
  onceTrusted: () =>
    db
      .selectFrom("webhook_trust")
      .select(["account_fp as accountFp", "subject"])
      .where("trusted_until", "is not", null)
      .execute(),
});

/** Each call of an owner whose sight of the account was ended would be answered by another owner's key. */
const isAnswered = sql<boolean>`not exists (select 1 from account
  where account.account_fp = webhook.account_fp and account.owner_id = webhook.owner_id
    and not ${isEntitled})`;

/** Number of the newest restore: an address of before may have been replaced after the copy was made. */
const restoresOf = async (db: Database): Promise<number> => (await latestRestore(db))?.number ?? 0;

const rowOf = (db: Database, { accountFp, ownerId }: WebhookOf) =>
  db
    .selectFrom("webhook")
    .selectAll()
    .where("account_fp", "=", accountFp)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();

/** Replacements at once would each miss the address that the other one makes. */
const lockOf = (trx: Database, { accountFp, ownerId }: WebhookOf): Promise<void> =>
  lockName(trx, `webhook|${accountFp}|${ownerId}`);

const deleteOf = async (trx: Database, { accountFp, ownerId }: WebhookOf): Promise<void> => {
  await trx
    .deleteFrom("webhook")
    .where("account_fp", "=", accountFp)
    .where("owner_id", "=", ownerId)
    .execute();
};

const trustOf = (row: Selectable<WebhookTrustTable>): CallTrust => ({
  announced: row.announced,
  trustedUntil: optionalInstantOf(row.trusted_until),
  unexplainedAt: optionalInstantOf(row.unexplained_at),
});

/** A call and a look may write at once, in two processes, before the row exists. */
const lockTrust = (trx: Database, accountFp: string): Promise<void> =>
  lockName(trx, `webhook_trust|${accountFp}`);

const trustRows = (
  trx: Database,
  accountFp: string,
): Promise<readonly Selectable<WebhookTrustTable>[]> =>
  trx.selectFrom("webhook_trust").selectAll().where("account_fp", "=", accountFp).execute();

const saveTrust = async (
  trx: Database,
  { account_fp, subject }: Pick<WebhookTrustTable, "account_fp" | "subject">,
  trust: CallTrust,
): Promise<void> => {
  const set = {
    announced: trust.announced,
    trusted_until: storedOptionalInstant(trust.trustedUntil),
    unexplained_at: storedOptionalInstant(trust.unexplainedAt),
  };
  await trx
    .insertInto("webhook_trust")
    .values({ account_fp, subject, ...set })
    .onConflict((conflict) => conflict.columns(["account_fp", "subject"]).doUpdateSet(set))
    .execute();
};

const deleteTrust = async (trx: Database, accountFp: string): Promise<void> => {
  await trx.deleteFrom("webhook_trust").where("account_fp", "=", accountFp).execute();
};

/** Deletes the addresses, and the trust in calls, of owners without a connection to the wallet account. */
export const deleteUnconnectedWebhooks = async (trx: Database): Promise<void> => {
  const deleted = await trx
    .deleteFrom("webhook")
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("account")
            .select("id")
            .whereRef("account.account_fp", "=", "webhook.account_fp")
            .whereRef("account.owner_id", "=", "webhook.owner_id"),
        ),
      ),
    )
    .returning("account_fp")
    .execute();
  for (const { account_fp: accountFp } of deleted) await deleteTrust(trx, accountFp);
};
