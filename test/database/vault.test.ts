import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { StoreError } from "#src/shared/store-errors.ts";
import { parseKeyRing } from "#src/database/encryption.ts";
import { openVault } from "#src/database/vault.ts";
import { databases, testRandom } from "../support/databases.ts";
import { ANA, anaKey, anaOtherKey, BRUNO, GUILD, savedAccount } from "./builders.ts";
import { ringLine, testRing, useStores, WALLET } from "./use-store.ts";

const otherRing = parseKeyRing(ringLine("second"));

describe.each(databases)("the vault on $name", (kind) => {
  const { store, accounts } = useStores(kind);
  const reopen = (ring = testRing, wallet = WALLET) =>
    openVault(store().db, ring, wallet, testRandom);

  test("opens what it sealed, also after a restart", async () => {
    const row = { rowId: "1", ownerId: ANA };
    const sealed = store().vault.seal(row, anaKey);
    expect((await reopen()).open(row, sealed).reveal()).toBe(anaKey.reveal());
  });

  test("opened by several at once on a new database is one vault", async () => {
    await store().db.deleteFrom("meta").execute();
    const vaults = await Promise.all(Array.from({ length: 6 }, () => reopen()));
    expect(new Set(vaults.map((vault) => vault.fingerprint(anaKey))).size).toBe(1);
  });

  test("refuses a ring that lacks the database's key, and names it", async () => {
    await expect(reopen(otherRing)).rejects.toThrow(
      /key ring \(MASTER_KEY\) does not open.*add the line of its key "first"/,
    );
    await expect(reopen(otherRing)).rejects.toMatchObject({ kind: "wrong_key_ring" });
  });

  test("refuses a ring whose key has the right name and other bytes", async () => {
    const [, bytes] = ringLine("second").split(":");
    const impostor = parseKeyRing(`first:${bytes}`);
    await expect(reopen(impostor)).rejects.toThrow(/its key "first" must be the one it was made/);
  });

  test("tells who lost the ring where to read about withdrawals under way", async () => {
    await expect(reopen(otherRing)).rejects.toThrow(
      /If the key is lost, .*"Updates and moves" in docs\/operating\.md.* paid twice$/,
    );
    const [, updates = ""] = readFileSync("docs/operating.md", "utf8").split(
      "## Updates and moves",
    );
    expect(updates.split("\n## ")[0]).toContain("A lost key ring");
  });

  test("refuses another wallet service, and names both", async () => {
    const opened = reopen(testRing, "https://other.example");
    await expect(opened).rejects.toThrow(
      /^The database was begun for https:\/\/wallet\.example,.* is https:\/\/other\.example: set it back, /,
    );
    await expect(opened).rejects.toMatchObject({ kind: "other_wallet" });
  });

  test.each(["canary", "fingerprint_key"] as const)(
    "refuses a database without its %s",
    async (name) => {
      await store().db.deleteFrom("meta").where("name", "=", name).execute();
      await expect(reopen()).rejects.toMatchObject({ kind: "wrong_key_ring" });
    },
  );

  test("does not make a new ring's rows for a database that holds keys", async () => {
    await accounts().save(savedAccount(), anaKey);
    await store().db.deleteFrom("meta").execute();
    await expect(reopen(otherRing)).rejects.toThrow(/restore a complete backup/);
    expect(await store().db.selectFrom("meta").selectAll().execute()).toEqual([]);
  });

  test("refuses one person's keys that were swapped between two guilds", async () => {
    const elsewhere = "900000000000000002";
    const here = await accounts().save(savedAccount(), anaKey);
    const there = await accounts().save(savedAccount({ guildId: elsewhere }), anaOtherKey);
    const { db } = store();
    const rows = await db.selectFrom("account").select(["id", "api_key"]).execute();
    for (const { id, api_key: sealed } of rows) {
      const other = id === here.id ? there.id : here.id;
      await db.updateTable("account").set({ api_key: sealed }).where("id", "=", other).execute();
    }
    for (const guild of [GUILD, elsewhere]) {
      await expect(accounts().findWithKey(guild, ANA)).rejects.toThrow(StoreError);
    }
  });

  test("refuses a row that was given to another person", async () => {
    await accounts().save(savedAccount(), anaKey);
    await store().db.updateTable("account").set({ owner_id: BRUNO }).execute();
    await expect(accounts().findWithKey(GUILD, BRUNO)).rejects.toThrow(StoreError);
    expect(await accounts().find(GUILD, BRUNO)).toMatchObject({ keyLast4: "7e1b" });
  });
});
