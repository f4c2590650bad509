import { describe, expect, test } from "vitest";
import { accountsStore } from "#src/stores.ts";
import {
  lackingKeys,
  replaceSealed,
  rotateKeys,
  sealedColumns,
  sealedOtherwise,
} from "#src/database/key-rotation.ts";
import { pixKeyBook } from "#src/withdrawals/pix-key-book.store.ts";
import { parseKeyRing } from "#src/database/encryption.ts";
import { openVault } from "#src/database/vault.ts";
import { databases, testRandom } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  anaOtherKey,
  BRUNO,
  brunoKey,
  GUILD,
  later,
  NOON,
  noticeTo,
  savedAccount,
} from "./builders.ts";
import { ringLine, useStores, WALLET } from "./use-store.ts";
import { journalOf, opIn, PIX_KEY } from "../withdrawals/withdraw-builders.ts";

const first = ringLine("first");
const second = ringLine("second");
const both = parseKeyRing(`${second}\n${first}`);
const onlySecond = parseKeyRing(second);
/** Together with the two accounts of the test: three batches and a part of a fourth. */
const OTHERS = 333;

describe.each(databases)("rotating the key ring on $name", (kind) => {
  const { store, accounts } = useStores(kind);
  const rotate = (ring = both) => rotateKeys(store().db, ring, WALLET, testRandom);
  const keyWith = async (ring: typeof both, owner: string) => {
    const vault = await openVault(store().db, ring, WALLET, testRandom);
    return (await accountsStore(store().db, vault).findWithKey(GUILD, owner))?.apiKey.reveal();
  };
  const connectPeople = async (): Promise<void> => {
    await accounts().save(savedAccount(), anaKey);
    await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
  };

  test("seals every value with the current key, so that the old one can go", async () => {
    await connectPeople();
    const row = await store().db.selectFrom("account").selectAll().executeTakeFirstOrThrow();
    const others = Array.from({ length: OTHERS }, (_, index) => {
      const [id, ownerId] = [`other-${index}`, String(index)];
      const sealed = store().vault.seal({ rowId: id, ownerId }, anaKey);
      return { ...row, id, owner_id: ownerId, api_key: sealed };
    });
    await store().db.insertInto("account").values(others).execute();
    const report = await rotate();
    expect(report).toEqual({
      currentKid: "second",
      rotated: OTHERS + 4,
      unreadable: [],
      sealedPerKid: new Map([["second", OTHERS + 4]]),
    });
    expect(await keyWith(onlySecond, ANA)).toBe(anaKey.reveal());
    expect(await keyWith(onlySecond, BRUNO)).toBe(brunoKey.reveal());
    expect(await keyWith(onlySecond, String(OTHERS - 1))).toBe(anaKey.reveal());
  });

  test("seals PIX keys of operations and saved ones too, and counts none that were erased", async () => {
    const journal = journalOf(store());
    const book = (vault = store().vault) => pixKeyBook(store().db, vault);
    const pixKey = { hash: "h", value: PIX_KEY, type: "cpf", masked: "***" } as const;
    await book().save(ANA, pixKey, NOON);
    await book().noteSeen(ANA, { ...pixKey, hash: "seen" }, NOON);
    const open = await opIn(journal, "unknown");
    await opIn(journal, "completed", { accountFp: "ended" });
    await journal.purgeEnded(later(1));
    expect(await rotate()).toMatchObject({ rotated: 4, sealedPerKid: new Map([["second", 4]]) });
    const vault = await openVault(store().db, onlySecond, WALLET, testRandom);
    expect(await journalOf({ ...store(), vault }).pixKeyOf(open.id)).toBe(PIX_KEY);
    const [saved] = await book(vault).saved(ANA);
    expect(await book(vault).reveal(ANA, saved!.handle)).toBe(PIX_KEY);
    expect(await journal.find(open.id)).toEqual(open);
  });

  test("tells what a key that the ring lacks is still needed for, once its sellers connected again", async () => {
    const lacking = () => lackingKeys(store().db, onlySecond);
    await connectPeople();
    const pixKey = { hash: "h", value: PIX_KEY, type: "cpf", masked: "***" } as const;
    await pixKeyBook(store().db, store().vault).save(ANA, pixKey, NOON);
    const pixKeyOfFirst = { kid: "first", label: "saved PIX key" };
    expect(await lacking()).toEqual([{ kid: "first", label: "account" }, pixKeyOfFirst]);
    await rotate();
    await store().db.updateTable("pix_key").set({ key_kid: "first" }).execute();
    expect(await lacking()).toEqual([pixKeyOfFirst]);
  });

  test("leaves no server with a lost key whose seller connected it again in another one", async () => {
    const elsewhere = "900000000000000002";
    await accounts().save(savedAccount({ guildId: elsewhere }), anaKey);
    await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    const lost = { api_key: "v1.lost.key", api_key_kid: "lost" };
    await store().db.updateTable("account").set(lost).execute();
    await accounts().save(savedAccount(), anaKey);
    const found = await accounts().findWithKey(elsewhere, ANA);
    expect(found?.apiKey.reveal()).toBe(anaKey.reveal());
    const labels = await lackingKeys(store().db, both);
    expect(labels).toEqual([{ kid: "lost", label: "account" }]);
    await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    expect(await lackingKeys(store().db, both)).toEqual([]);
  });

  test("leaves none with a key that another one of its name sealed", async () => {
    const elsewhere = "900000000000000002";
    const { id } = await accounts().save(savedAccount({ guildId: elsewhere }), anaKey);
    const lost = { api_key: `v1.${store().vault.currentKid}.lost.key` };
    await store().db.updateTable("account").set(lost).where("id", "=", id).execute();
    await accounts().save(savedAccount(), anaKey);
    const found = await accounts().findWithKey(elsewhere, ANA);
    expect(found?.apiKey.reveal()).toBe(anaKey.reveal());
  });

  test("leaves a wallet account to another connection where a lost key sealed the first", async () => {
    const elsewhere = "900000000000000002";
    const { id, accountFp } = await accounts().save(savedAccount(), anaKey);
    const other = savedAccount({ guildId: elsewhere });
    const opened = await accounts().save(other, anaOtherKey, anaKey.reveal());
    const lost = { api_key: "v1.lost.key", api_key_kid: "lost" };
    await store().db.updateTable("account").set(lost).where("id", "=", id).execute();
    for (const ownerId of [ANA, BRUNO])
      expect((await accounts().findByFingerprint(accountFp, ownerId))?.account).toEqual(opened);
    expect((await accounts().apiKey(id))?.reveal()).toBe(anaOtherKey.reveal());
    await accounts().pause(opened.id, NOON, noticeTo(ANA, "paused"));
    await expect(accounts().apiKey(id)).rejects.toMatchObject({ kind: "unreadable_secret" });
    await accounts().remove(elsewhere, ANA, ANA, NOON);
    const none = accounts().findByFingerprint(accountFp, ANA);
    await expect(none).rejects.toMatchObject({ kind: "unreadable_secret" });
  });

  test("knows every column that names a key of the ring", async () => {
    const tables = await store().db.introspection.getTables();
    const inDatabase = tables.flatMap(({ name, columns }) =>
      columns.filter((column) => /(^|_)kid$/.test(column.name)).map((kid) => `${name}.${kid.name}`),
    );
    const known = sealedColumns.map(({ table, kid }) => `${table}.${kid}`);
    expect(inDatabase.toSorted()).toEqual(known.toSorted());
  });

  test("brings no PIX key back that was forgotten meanwhile", async () => {
    const { db, vault } = store();
    const book = pixKeyBook(db, vault);
    await book.save(ANA, { hash: "h", value: PIX_KEY, type: "cpf", masked: "***" }, NOON);
    const column = sealedColumns.find(({ table }) => table === "pix_key")!;
    const [read] = await sealedOtherwise(db, column, "second", "", 10);
    await book.forget(ANA, read!.rowId);
    const after = { sealed: vault.sealPixKey(read!, PIX_KEY), kid: "second" };
    expect(await replaceSealed(db, column, read!, after)).toBe(false);
    expect(await book.saved(ANA)).toEqual([]);
  });

  test("keeps the fingerprints", async () => {
    const before = await accounts().save(savedAccount(), anaKey);
    await rotate();
    const vault = await openVault(store().db, onlySecond, WALLET, testRandom);
    expect(vault.fingerprint(anaKey)).toBe(before.keyFingerprint);
  });

  test("finds nothing to do the second time", async () => {
    await connectPeople();
    await rotate();
    expect(await rotate()).toMatchObject({ rotated: 0, sealedPerKid: new Map([["second", 4]]) });
  });

  test("names the rows that it cannot read and still seals the others", async () => {
    await connectPeople();
    const damaged = await accounts().find(GUILD, ANA);
    await store()
      .db.updateTable("account")
      .set({ api_key: "v1.first.AAAA.AAAA.AAAA" })
      .where("owner_id", "=", ANA)
      .execute();
    expect(await rotate()).toMatchObject({
      unreadable: [`account ${damaged?.id}`],
      sealedPerKid: new Map([
        ["first", 1],
        ["second", 3],
      ]),
    });
    expect(await keyWith(onlySecond, BRUNO)).toBe(brunoKey.reveal());
  });

  test("changes nothing with a ring that is not the database's", async () => {
    await connectPeople();
    await expect(rotate(onlySecond)).rejects.toMatchObject({ kind: "wrong_key_ring" });
    expect(await keyWith(parseKeyRing(first), ANA)).toBe(anaKey.reveal());
  });

  test("refuses a database that holds no key, each time", async () => {
    await store().db.deleteFrom("meta").execute();
    const refused = {
      kind: "wrong_key_ring",
      message: "This database holds no key, so it is not the bot's: check DATABASE_URL",
    };
    await expect(rotate()).rejects.toMatchObject(refused);
    await expect(rotate()).rejects.toMatchObject(refused);
  });

  test("does not undo what is saved at the same time", async () => {
    await connectPeople();
    const newKeys = Array.from({ length: 5 }, () => accounts().save(savedAccount(), brunoKey));
    await Promise.all([rotate(), ...newKeys, rotate()]);
    expect(await keyWith(both, ANA)).toBe(brunoKey.reveal());
    expect(await keyWith(both, BRUNO)).toBe(brunoKey.reveal());
  });

  test("done by two at once seals each value anew and loses none", async () => {
    await connectPeople();
    const reports = await Promise.all([rotate(), rotate()]);
    expect(reports.reduce((sum, { rotated }) => sum + rotated, 0)).toBe(4);
    expect(await keyWith(onlySecond, ANA)).toBe(anaKey.reveal());
  });
});
