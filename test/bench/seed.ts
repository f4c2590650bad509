import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { sql } from "kysely";
import { nextPollAt } from "#src/disputes/dispute-watch.ts";
import { Secret } from "#src/shared/secret.ts";
import { accountsStore } from "#src/stores.ts";
import { storedInstant } from "#src/database/columns.ts";
import { openDatabase } from "#src/database/database.ts";
import type { Database } from "#src/schema.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { reportRoutesStore } from "#src/reports/report-routes.store.ts";
import { newSecret } from "#src/webhooks/webhook.ts";
import { webhookStore } from "#src/webhooks/webhooks.store.ts";
import { parseKeyRing } from "#src/database/encryption.ts";
import { openVault } from "#src/database/vault.ts";
import { apiKey, GUILD_ID, postChannelId, postGuildId, POSTS, userId } from "./bench-world.ts";

export interface SeedParts {
  readonly folder: string;
  readonly masterKey: string;
  /** The bots' wallet URL, because the vault binds API keys to it. */
  readonly walletUrl: string;
  readonly users: number;
}

const clock = { now: () => Temporal.Now.instant() };
const random = { bytes: (size: number) => randomBytes(size), fraction: Math.random };
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** `sellers.db` with an account for each seller, as on a quiet day; `posts.db` with some and a batch of due posts. */
export const seedDatabases = async (parts: SeedParts): Promise<void> => {
  const sellers = join(parts.folder, "sellers.db");
  await into(sellers, async (db) => {
    await addSellers(db, parts);
    await settle(db);
  });
  await into(join(parts.folder, "posts.db"), async (db, leaseNow) => {
    await addSellers(db, { ...parts, users: Math.min(parts.users, 500) });
    await addPosts(db, leaseNow);
  });
};

/** A database of sellers without news, as on a quiet day. */
export const seedIdleSellers = async (
  parts: SeedParts & { readonly file: string; readonly alerts: boolean },
): Promise<void> => {
  await into(parts.file, async (db) => {
    await addSellers(db, parts);
    if (!parts.alerts) await db.updateTable("account").set({ alerts: "off" }).execute();
    await settle(db);
  });
};

/** Marks every account as polled and compared before, with its next poll in its turn. */
const settle = async (db: Database): Promise<void> => {
  const now = clock.now();
  const at = storedInstant(now);
  await sql`
    insert into ghost_baseline (account_fp, at) select distinct account_fp, ${at} from account
  `.execute(db);
  const counts = JSON.stringify({
    byStatus: { pending: 0, agreed: 0, disagreed: 0, canceled: 0, total: 0 },
    byAnalysis: { pending: 0, accepted: 0, rejected: 0 },
  });
  const polls = await db.selectFrom("dispute_poll").select("account_id").execute();
  for (const { account_id: id } of polls)
    await db
      .updateTable("dispute_poll")
      .set({
        next_poll_at: storedInstant(nextPollAt(id, undefined, now)),
        counts,
        list_read_at: at,
        baseline_at: at,
      })
      .where("account_id", "=", id)
      .execute();
};

/** Sellers, followed by one seller for each post, who is owed a report at `dueAt` in a guild of their own. */
export const seedReports = async (
  parts: SeedParts & { readonly file: string; readonly dueAt: Temporal.Instant },
): Promise<void> => {
  const since = parts.dueAt.subtract({ hours: 12 });
  const { users, dueAt } = parts;
  await into(parts.file, async (db) => {
    await addSellers(db, parts);
    const save = await saver(db, parts);
    const routes = reportRoutesStore(db);
    for (let index = 0; index < POSTS; index++) {
      const route = {
        guildId: postGuildId(index),
        channelId: postChannelId(index),
        time: dueAt.toZonedDateTimeISO("UTC").toPlainTime(),
        timeZone: "UTC",
        active: true,
        emptyChoice: "send",
        locale: "pt-BR",
        updatedBy: userId(users + index),
      } as const;
      await save(users + index, { guildId: route.guildId, consentAt: since });
      await routes.save(route, since, route.updatedBy);
    }
    await db.updateTable("account").set({ alerts: "off" }).execute();
    await sql`
      insert into ghost_baseline (account_fp, at)
      select distinct account_fp, ${storedInstant(since)} from account
    `.execute(db);
  });
};

/** Gives each of the first sellers a webhook. @returns the tokens of their addresses */
export const seedWebhooks = async (
  parts: Pick<SeedParts, "masterKey" | "walletUrl"> & {
    readonly file: string;
    readonly sellers: number;
  },
): Promise<readonly string[]> => {
  const made: string[] = [];
  await into(parts.file, async (db) => {
    const vault = await openVault(db, parseKeyRing(parts.masterKey), parts.walletUrl, random);
    for (let index = 0; index < parts.sellers; index++) {
      const { token, secretHash } = newSecret(random, vault.webhook);
      const [account] = await accountsStore(db, vault).ofOwner(userId(index));
      if (account === undefined) throw new Error(`Seller ${index} has no account`);
      await webhookStore(db).replace(account, secretHash, clock.now());
      made.push(token);
    }
  });
  return made;
};

const into = async (
  file: string,
  fill: (db: Database, leaseNow: () => Promise<Temporal.Instant>) => Promise<void>,
): Promise<void> => {
  const { db, leaseNow, close } = await openDatabase(`sqlite:${file}`, {
    clock,
    random,
    log: silent,
  });
  try {
    // Durability is irrelevant while seeding.
    await sql`pragma synchronous = off`.execute(db);
    await fill(db, leaseNow);
  } finally {
    await close();
  }
};

const saver = async (db: Database, { masterKey, walletUrl }: SeedParts) => {
  const vault = await openVault(db, parseKeyRing(masterKey), walletUrl, random);
  const accounts = accountsStore(db, vault);
  return (
    index: number,
    of: { readonly guildId: string; readonly consentAt?: Temporal.Instant } = { guildId: GUILD_ID },
  ) =>
    accounts.save(
      {
        guildId: of.guildId,
        ownerId: userId(index),
        connectedBy: userId(index),
        ownerVerified: true,
        reportConsent: of.consentAt !== undefined,
        reportConsentAt: of.consentAt,
        connectedAt: clock.now(),
      },
      new Secret(apiKey(index)),
      userId(index),
    );
};

const addSellers = async (db: Database, parts: SeedParts): Promise<void> => {
  const save = await saver(db, parts);
  for (let index = 0; index < parts.users; index++) await save(index);
};

const addPosts = async (db: Database, leaseNow: () => Promise<Temporal.Instant>): Promise<void> => {
  const outbox = outboxStore(db, leaseNow);
  for (let index = 0; index < POSTS; index++) {
    await outbox.enqueue(
      {
        dedupeKey: `bench:${index}`,
        kind: "notice",
        target: { kind: "channel", channelId: postChannelId(index) },
        guildId: GUILD_ID,
        accountId: null,
        payload: {
          embeds: [
            {
              title: "Vendas de 17/11/2026",
              fields: [
                { name: "Total vendido", value: "R$ 777,00", inline: true },
                { name: "Taxas", value: "R$ 46,62", inline: true },
                { name: "Líquido", value: "R$ 730,38", inline: true },
              ],
            },
          ],
        },
        notBefore: clock.now(),
      },
      clock.now(),
    );
  }
};
