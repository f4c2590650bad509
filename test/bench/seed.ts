import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { nextPollAt } from "#src/disputes/dispute-watch.ts";
import { Secret } from "#src/shared/secret.ts";
import { accountsStore } from "#src/stores.ts";
import { storedDay, storedInstant } from "#src/database/columns.ts";
import { openDatabase } from "#src/database/database.ts";
import type { Database } from "#src/schema.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { closeKinds, newestPeriod } from "#src/closes/close.ts";
import { closeOf, openReportDay } from "#src/shared/report-day.ts";
import { reportRoutesStore } from "#src/reports/report-routes.store.ts";
import { newSecret } from "#src/webhooks/webhook.ts";
import { webhookStore } from "#src/webhooks/webhooks.store.ts";
import { parseKeyRing } from "#src/database/encryption.ts";
import { openVault } from "#src/database/vault.ts";
import { apiKey, guildId, postChannelId, postGuildId, POSTS, userId } from "./bench-world.ts";
import { asRoute } from "../support/samples.ts";

interface SeedParts {
  readonly masterKey: string;
  /** The bots' wallet URL, because the vault binds API keys to it. */
  readonly walletUrl: string;
  readonly users: number;
}

const clock = { now: () => Temporal.Now.instant() };
const random = { bytes: (size: number) => randomBytes(size), fraction: Math.random };
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A few sellers and a batch of due posts. A bot that starts a quarter of an hour later searches before each post. */
export const seedPosts = async (parts: SeedParts & { readonly file: string }): Promise<void> => {
  await into(parts.file, async (db, leaseNow) => {
    await addSellers(db, parts);
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

export interface ReportsSeed {
  /** How often as many other servers are due, and how long after those before. */
  readonly rushes: number;
  readonly everyMs: number;
  readonly servers: number;
  /** Sellers who agreed, in each server. */
  readonly sellersEach: number;
  readonly dueAt: () => Temporal.Instant;
}

/** Two weeks before that of a close, on any day of the week. */
const DAYS_OF_REPORTS = 21;

/**
 * Sellers, followed by those of the servers that are owed a report, as after weeks of reports: with the figures of
 * three weeks, and presences that were asked within the last hour.
 * @returns when the first reports are due
 */
export const seedReports = async (
  parts: SeedParts & ReportsSeed & { readonly file: string },
): Promise<Temporal.Instant> => {
  const { users, servers, sellersEach, rushes, everyMs } = parts;
  const since = clock.now().subtract({ hours: DAYS_OF_REPORTS * 24 });
  let dueAt = clock.now();
  await into(parts.file, async (db) => {
    await addSellers(db, parts);
    const save = await saver(db, parts);
    for (let index = 0; index < rushes * servers * sellersEach; index++)
      await save(users + index, {
        guildId: postGuildId(Math.floor(index / sellersEach)),
        consentAt: since,
      });
    await db.updateTable("account").set({ alerts: "off" }).execute();
    await sql`
      insert into ghost_baseline (account_fp, at)
      select distinct account_fp, ${storedInstant(since)} from account
    `.execute(db);
    dueAt = parts.dueAt();
    const routes = reportRoutesStore(db);
    for (let index = 0; index < rushes * servers; index++) {
      const ofRush = dueAt.add({ milliseconds: Math.floor(index / servers) * everyMs });
      const route = {
        guildId: postGuildId(index),
        channelId: postChannelId(index),
        time: ofRush.toZonedDateTimeISO("UTC").toPlainTime(),
        timeZone: "UTC",
        active: true,
        emptyChoice: "send",
        locale: "pt-BR",
        updatedBy: userId(users + index),
      } as const;
      await routes.save(...asRoute(route), since);
    }
    await settleReports(db, openReportDay(dueAt).subtract({ days: 1 }));
  });
  return dueAt;
};

/** All days before are told, and all closes, so that the day of the week makes no difference. */
const settleReports = async (db: Database, owed: Temporal.PlainDate): Promise<void> => {
  const before = owed.subtract({ days: 1 });
  const days = Array.from({ length: DAYS_OF_REPORTS }, (_, ago) => before.subtract({ days: ago }));
  for (const day of days)
    await sql`
      insert into sales_day (account_fp, day, sales_cents, fees_cents, net_cents, api_count, api_cents, esales_count,
        esales_cents, read_at)
      select account_fp, ${storedDay(day)}, sales, sales * 6 / 100, sales - sales * 6 / 100, 3, sales, 0, 0,
        ${storedInstant(closeOf(day).add({ hours: 1 }))}
      from (select account_fp, 10000 + abs(random()) % 90000 as sales from account where report_consent = 1)
    `.execute(db);
  await sql`
    insert into report_progress (account_id, last_day) select id, ${storedDay(before)} from account
    where report_consent = 1
  `.execute(db);
  await sql`update report_route set posted_day = ${storedDay(before)}`.execute(db);
  for (const kind of closeKinds)
    await sql`
      insert into close_progress (progress_id, kind, active, last_day)
      select guild_id, ${kind}, 1, ${storedDay(newestPeriod(kind, owed).to)} from report_route
    `.execute(db);
  await sql`
    insert into presence (guild_id, owner_id, asked_on) select guild_id, owner_id, ${storedDay(owed.add({ days: 1 }))}
    from account where report_consent = 1
  `.execute(db);
  await sql`
    insert into sales_history (account_fp, next_at)
    select account_fp, ${storedInstant(clock.now().add({ hours: 2 }))} from account where report_consent = 1
  `.execute(db);
};

/**
 * Takes back that these servers were told of the newest week, beside the running bot: its next beat finds the closes due,
 * on any day of the week.
 */
export const oweWeeklyCloses = (
  file: string,
  { first, servers }: { readonly first: number; readonly servers: number },
): void => {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  const told = db.prepare(
    "update close_progress set last_day = date(last_day, '-7 days') where kind = 'week' and progress_id = ?",
  );
  db.exec("begin immediate");
  for (let index = first; index < first + servers; index++) told.run(postGuildId(index));
  db.exec("commit");
  db.close();
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
      await webhookStore(db).make(account, secretHash, clock.now());
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
    of: { readonly guildId: string; readonly consentAt?: Temporal.Instant } = {
      guildId: guildId(index),
    },
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
        guildId: guildId(0),
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
