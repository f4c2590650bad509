import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { sql } from "kysely";
import { Secret } from "#src/shared/secret.ts";
import { accountsStore } from "#src/store/accounts.ts";
import { openDatabase, type Database } from "#src/store/database.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { openVault, parseKeyRing } from "#src/store/vault.ts";
import { apiKey, GUILD_ID, postChannelId, POSTS, userId } from "./bench-world.ts";

export interface SeedParts {
  readonly folder: string;
  readonly masterKey: string;
  /** As the bots get it: the vault binds keys to it. */
  readonly walletUrl: string;
  readonly users: number;
}

const clock = { now: () => Temporal.Now.instant() };
const random = { bytes: (size: number) => randomBytes(size), fraction: Math.random };
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** `sellers.db` with an account for each seller, and `posts.db` with those and a batch of posts that are due. */
export const seedDatabases = async (parts: SeedParts): Promise<void> => {
  const sellers = join(parts.folder, "sellers.db");
  await into(sellers, async (db) => addSellers(db, parts));
  await into(join(parts.folder, "posts.db"), async (db, leaseNow) => {
    await addSellers(db, { ...parts, users: Math.min(parts.users, 500) });
    await addPosts(db, leaseNow);
  });
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
    // Only while seeding: nobody minds if the power fails now.
    await sql`pragma synchronous = off`.execute(db);
    await fill(db, leaseNow);
  } finally {
    await close();
  }
};

const addSellers = async (
  db: Database,
  { masterKey, walletUrl, users }: SeedParts,
): Promise<void> => {
  const accounts = accountsStore(
    db,
    await openVault(db, parseKeyRing(masterKey), walletUrl, random),
  );
  for (let index = 0; index < users; index++) {
    await accounts.save(
      {
        guildId: GUILD_ID,
        ownerId: userId(index),
        connectedBy: userId(index),
        ownerVerified: true,
        reportConsent: false,
        reportConsentAt: undefined,
        connectedAt: clock.now(),
      },
      new Secret(apiKey(index)),
    );
  }
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
