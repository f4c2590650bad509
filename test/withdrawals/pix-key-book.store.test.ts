import { describe, expect, test } from "vitest";
import { pixKeyBook } from "#src/withdrawals/pix-key-book.store.ts";
import { guardsInForce, type MoneyGuards } from "#src/money-guards/money-guards.ts";
import { guardsStore } from "#src/money-guards/money-guards.store.ts";
import { cents } from "#src/shared/money.ts";
import { parseKeyRing } from "#src/database/encryption.ts";
import { openVault, type Vault } from "#src/database/vault.ts";
import { databases, testRandom } from "../support/databases.ts";
import { ANA, BRUNO, later, NOON } from "../database/builders.ts";
import { ringLine, useStore, WALLET } from "../database/use-store.ts";

const keyOf = (value: string) => ({
  hash: `hash-of-${value}`,
  value,
  type: "email" as const,
  masked: `${value.slice(0, 1)}***@d***`,
});
const [one, two, three] = [keyOf("ana@d.br"), keyOf("bia@d.br"), keyOf("caio@d.br")];

describe.each(databases)("PIX keys on $name", (kind) => {
  const store = useStore(kind);
  const book = () => pixKeyBook(store().db, store().vault);
  const masked = async (ownerId = ANA) => (await book().saved(ownerId)).map((key) => key.masked);

  test("are new once for each owner", async () => {
    const first = await book().noteSeen(ANA, one, NOON);
    expect(first).toEqual({ firstSeenAt: NOON, lastUsedAt: undefined, saved: false });
    expect(await book().noteSeen(ANA, one, later(5))).toEqual(first);
    expect((await book().noteSeen(BRUNO, one, later(5))).firstSeenAt).toEqual(later(5));
  });

  test("seen by several at once are new to one of them", async () => {
    const seen = await Promise.all(
      Array.from({ length: 12 }, (_, index) => book().noteSeen(ANA, one, later(index))),
    );
    expect(new Set(seen.map(({ firstSeenAt }) => firstSeenAt.toString())).size).toBe(1);
  });

  test("that were used stand first among the saved", async () => {
    for (const [index, key] of [one, two, three].entries()) {
      await book().save(ANA, key, later(index));
    }
    expect(await masked()).toEqual([three, two, one].map((key) => key.masked));
    await book().markUsed(ANA, one.hash, later(10));
    await book().markUsed(ANA, two.hash, later(20));
    expect(await masked()).toEqual([two, one, three].map((key) => key.masked));
    const { lastUsedAt, saved } = await book().noteSeen(ANA, two, later(30));
    expect(lastUsedAt?.equals(later(20))).toBe(true);
    expect(saved).toBe(true);
  });

  test("used by one owner are not used by another", async () => {
    for (const ownerId of [ANA, BRUNO]) await book().noteSeen(ownerId, one, NOON);
    await book().markUsed(ANA, one.hash, later(1));
    expect((await book().noteSeen(BRUNO, one, later(2))).lastUsedAt).toBeUndefined();
  });

  test("that were saved or used are counted, and none that was only typed", async () => {
    for (const key of [one, two, three]) await book().noteSeen(ANA, key, NOON);
    await book().markUsed(ANA, one.hash, NOON);
    expect([await book().countKept(ANA), await book().countKept(BRUNO)]).toEqual([1, 0]);
    await book().save(ANA, one, NOON);
    await book().save(ANA, two, NOON);
    expect(await book().countKept(ANA)).toBe(2);
  });

  test("saved are revealed to their owner only, by a handle that says nothing", async () => {
    await book().save(ANA, one, NOON);
    const [saved] = await book().saved(ANA);
    expect(saved).toMatchObject({ masked: one.masked, type: "email" });
    expect(saved?.handle).toMatch(/^[\w-]{22}$/);
    expect(await book().reveal(ANA, saved!.handle)).toBe(one.value);
    expect(await book().reveal(BRUNO, saved!.handle)).toBeUndefined();
    expect(await book().reveal(ANA, "nothing")).toBeUndefined();
    expect(await book().isSaved(ANA, one.hash)).toBe(true);
    expect(await book().isSaved(BRUNO, one.hash)).toBe(false);
    expect(await book().isSaved(ANA, two.hash)).toBe(false);
    expect(await book().saved(BRUNO)).toEqual([]);
  });

  test("saved twice are saved once, also by several at once", async () => {
    await Promise.all(Array.from({ length: 8 }, () => book().save(ANA, one, NOON)));
    const saved = await book().saved(ANA);
    expect(saved).toHaveLength(1);
    expect(await book().reveal(ANA, saved[0]!.handle)).toBe(one.value);
  });

  test("forgotten are no longer there, but stay seen, and the others stay saved", async () => {
    await book().save(ANA, one, NOON);
    const [saved] = await book().saved(ANA);
    await book().save(ANA, two, NOON);
    expect(await book().forget(BRUNO, saved!.handle)).toBe(false);
    expect(await book().forget(ANA, saved!.handle)).toBe(true);
    expect(await book().forget(ANA, saved!.handle)).toBe(false);
    expect(await masked()).toEqual([two.masked]);
    expect(await book().reveal(ANA, saved!.handle)).toBeUndefined();
    expect(await book().isSaved(ANA, one.hash)).toBe(false);
    expect(await book().noteSeen(ANA, one, later(1))).toEqual({
      firstSeenAt: NOON,
      lastUsedAt: undefined,
      saved: false,
    });
  });

  test("never used are new again when their owner switches the wait on, and not before", async () => {
    const { db } = store();
    const [used, saved, typed] = [one, two, three];
    await book().noteSeen(ANA, used, NOON);
    await book().markUsed(ANA, used.hash, NOON);
    await book().save(ANA, saved, NOON);
    for (const ownerId of [ANA, BRUNO]) await book().noteSeen(ownerId, typed, NOON);
    const off = guardsInForce(undefined, ANA, NOON);
    const on = { ...off, newKeyWait: true };
    const ended = { ...on, newKeyWaitEndsAt: later(8) };
    const seenAt = async (ownerId: string, key: typeof one) =>
      (await book().noteSeen(ownerId, key, later(9))).firstSeenAt;
    const save = (before: MoneyGuards | undefined, after: MoneyGuards, at = NOON) =>
      guardsStore(db).save(before, after, "new_key_wait_set", at, []);

    await save(undefined, off);
    expect(await seenAt(ANA, typed)).toEqual(NOON);
    await save(off, on);
    for (const key of [used, saved]) expect(await seenAt(ANA, key)).toEqual(NOON);
    expect(await seenAt(ANA, typed)).toEqual(later(9));
    expect(await seenAt(BRUNO, typed)).toEqual(NOON);
    await book().noteSeen(ANA, keyOf("duda@d.br"), NOON);
    await save(on, ended);
    await save(ended, on, later(7));
    expect(await seenAt(ANA, keyOf("duda@d.br"))).toEqual(NOON);
    await save(on, ended);
    await save(ended, { ...ended, dailyCap: cents(1) }, later(8));
    expect(await seenAt(ANA, keyOf("duda@d.br"))).toEqual(NOON);
    await save({ ...ended, dailyCap: cents(1) }, on, later(8));
    expect(await seenAt(ANA, keyOf("duda@d.br"))).toEqual(later(9));
  });

  test("that were swapped in the database do not open", async () => {
    await book().save(ANA, one, NOON);
    await book().save(ANA, two, NOON);
    const { db } = store();
    const rows = await db.selectFrom("pix_key").select(["id", "key_enc"]).execute();
    for (const { id, key_enc: sealed } of rows) {
      await db.updateTable("pix_key").set({ key_enc: sealed }).where("id", "!=", id).execute();
      await expect(book().reveal(ANA, rows.find((row) => row.id !== id)!.id)).rejects.toMatchObject(
        {
          kind: "unreadable_secret",
        },
      );
    }
  });

  test("and tokens have hashes of keys of their own, the same after a restart and a rotation", async () => {
    const ring = parseKeyRing(`${ringLine("second")}\n${ringLine("first")}`);
    const { db, vault } = store();
    const reopened = await openVault(db, ring, WALLET, testRandom);
    const hashesOf = ({ hashPixKey, hashToken }: Vault) => [
      hashPixKey("a"),
      hashToken("a"),
      hashPixKey("b"),
    ];
    expect(hashesOf(reopened)).toEqual(hashesOf(vault));
    expect(new Set(hashesOf(vault)).size).toBe(3);
    expect(hashesOf(vault).every((hash) => /^[\w-]{43}$/.test(hash))).toBe(true);
  });
});
