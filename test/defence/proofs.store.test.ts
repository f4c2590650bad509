import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { PENDING_PROOF_MS, type ProofContent } from "#src/defence/proof.ts";
import { DAY, MINUTE } from "#src/shared/time.ts";
import { rotateKeys } from "#src/database/key-rotation.ts";
import { proofsStore } from "#src/defence/proofs.store.ts";
import { parseKeyRing } from "#src/database/encryption.ts";
import { openVault } from "#src/database/vault.ts";
import { databases, testRandom } from "../support/databases.ts";
import { ANA, anaKey, BRUNO, GUILD, later, NOON, savedAccount } from "../database/builders.ts";
import { audited, proofContent } from "../disputes/dispute-builders.ts";
import { ringLine, useStores, WALLET, testAccounts } from "../database/use-store.ts";

describe.each(databases)("proofs on $name", (kind) => {
  const { store, accounts } = useStores(kind);
  const proofs = (vault = store().vault) => proofsStore(store().db, vault);
  const pending = (at = NOON, text = "pago", ownerId = ANA) => {
    const content = proofContent({ text, sha256: createHash("sha256").update(text).digest("hex") });
    return proofs().keepPending(ownerId, GUILD, content, at);
  };
  const keep = async (txid: string, at = NOON, text = "pago", ownerId = ANA) => {
    const id = await pending(at, text, ownerId);
    expect(await proofs().tie(ownerId, id, txid, at)).toMatchObject({ proof: { id }, isNew: true });
    return id;
  };
  const list = async (ownerId: string, txids?: readonly string[]) =>
    (await proofs().list(ownerId, txids)).proofs;
  const rows = () => store().db.selectFrom("proof").selectAll().orderBy("id").execute();

  test("come back as they were kept, once they have a txid, to their owner", async () => {
    const content = proofContent({ editedAt: later(-MINUTE), forwarded: true });
    const id = await proofs().keepPending(ANA, GUILD, content, NOON);
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(await list(ANA)).toEqual([]);
    expect(await proofs().find(ANA, id)).toBeUndefined();
    expect(await proofs().count(ANA)).toBe(0);
    const proof = { id, guildId: GUILD, txid: "txid-1", keptAt: NOON, content };
    expect(await proofs().tie(ANA, id, "txid-1", later(MINUTE))).toEqual({ proof, isNew: true });
    expect(await list(ANA)).toEqual([proof]);
    expect(await list(ANA, ["txid-1"])).toEqual([proof]);
    expect(await list(ANA, ["txid-2"])).toEqual([]);
    expect(await list(BRUNO, ["txid-1"])).toEqual([]);
    expect(await proofs().find(ANA, proof.id)).toEqual(proof);
    expect(await proofs().find(BRUNO, proof.id)).toBeUndefined();
    expect([await proofs().count(ANA), await proofs().count(BRUNO)]).toEqual([1, 0]);
    expect(await list(BRUNO)).toEqual([]);
    expect(await audited(store().db)).toEqual(["ana proof_kept"]);
  });

  test("of older rows have the names that the addresses of their attachments end in, and are no forwards", async () => {
    const attachments = [
      "https://cdn.example/attachments/1/2/tela%20%C3%A9.png",
      "https://cdn.example/attachments/1/2/50%.png",
      "50%20.png",
    ];
    const { forwarded: _, ...content } = proofContent({ attachments });
    const id = await proofs().keepPending(ANA, GUILD, content as ProofContent, NOON);
    const kept = await proofs().tie(ANA, id, "txid", NOON);
    expect(kept?.proof.content).toMatchObject({
      attachments: ["tela é.png", "50%.png", "50%20.png"],
      forwarded: false,
    });
    expect(await list(ANA)).toEqual([kept?.proof]);
  });

  test("are found by a txid in letters that the database does not write small", async () => {
    const id = await keep("VENDA-Ã");
    expect(await list(ANA, ["VENDA-Ã"])).toMatchObject([{ id }]);
  });

  test("are listed newest first, and so are those of a sale", async () => {
    for (const [index, txid] of ["one", "two", "one"].entries()) {
      await keep(txid, later(index), `text ${index}`);
    }
    const texts = (found: Awaited<ReturnType<typeof list>>) =>
      found.map(({ content }) => content.text);
    expect(texts(await list(ANA))).toEqual(["text 2", "text 1", "text 0"]);
    expect(texts(await list(ANA, ["one"]))).toEqual(["text 2", "text 0"]);
  });

  test("S19: wait ten at most of one owner; the oldest goes for the eleventh", async () => {
    const kept = await keep("txid-1", NOON, "kept");
    const others = await pending(NOON, "of another", BRUNO);
    const ids: string[] = [];
    for (let index = 0; index < 13; index += 1) {
      ids.push(await pending(later(index), `text ${index}`));
    }
    const left = (await rows()).map(({ id }) => id);
    expect(left.toSorted()).toEqual([kept, others, ...ids.slice(-10)].toSorted());
    expect(await proofs().tie(ANA, ids[2] ?? "", "txid-2", later(20))).toBeUndefined();
    expect(await proofs().tie(ANA, ids[3] ?? "", "txid-2", later(20))).toMatchObject({
      isNew: true,
    });
  });

  test("S19: wait ten at most, however many come at once", async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => pending(NOON, `text ${index}`)));
    expect(await rows()).toHaveLength(10);
  });

  test("are tied once, by their owner, while they wait", async () => {
    const id = await pending();
    expect(await proofs().tie(BRUNO, id, "txid", NOON)).toBeUndefined();
    expect(await proofs().tie(ANA, id, "txid", later(PENDING_PROOF_MS + 1))).toBeUndefined();
    const tied = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        proofs().tie(ANA, id, `txid-${index}`, later(PENDING_PROOF_MS)),
      ),
    );
    const made = tied.filter((each) => each !== undefined);
    expect(made).toEqual((await list(ANA)).map((proof) => ({ proof, isNew: true })));
    expect(made).toHaveLength(1);
    expect(await audited(store().db)).toHaveLength(1);
  });

  test("are one for the same message and sale, however often at once: the others go", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, (_, index) => pending(later(index))));
    const tied = await Promise.all(ids.map((id) => proofs().tie(ANA, id, "txid", later(MINUTE))));
    const kept = await list(ANA);
    expect(kept).toHaveLength(1);
    expect(tied.map((each) => each?.proof)).toEqual(ids.map(() => kept[0]));
    expect(tied.filter((each) => each?.isNew)).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
    expect(await audited(store().db)).toEqual(["ana proof_kept"]);
  });

  test("that are held while their owner's last connection goes do not stay", async () => {
    for (let round = 0; round < 10; round += 1) {
      await accounts().save(savedAccount(), anaKey);
      const hold = async () => await proofs().staysPending(ANA, await pending());
      const [isHeld] = await Promise.all([hold(), accounts().remove(GUILD, ANA, ANA, NOON)]);
      expect(typeof isHeld).toBe("boolean");
      expect(await rows()).toEqual([]);
    }
  });

  test("of another sale, of another person or of other words are each kept", async () => {
    await keep("txid");
    await keep("txid-2");
    await keep("txid", NOON, "pago em dobro");
    await keep("txid", NOON, "pago", BRUNO);
    expect(await rows()).toHaveLength(4);
  });

  test("are removed once, by their owner", async () => {
    const id = await keep("txid");
    expect(await proofs().remove(BRUNO, id, NOON)).toBe(false);
    expect(await proofs().remove(ANA, id, NOON)).toBe(true);
    expect(await proofs().remove(ANA, id, NOON)).toBe(false);
    expect(await rows()).toEqual([]);
    expect(await audited(store().db)).toEqual(["ana proof_kept", "ana proof_removed"]);
  });

  test("are removed alone", async () => {
    const [gone, stays] = [await keep("txid"), await keep("txid-2")];
    expect(await proofs().remove(ANA, gone, NOON)).toBe(true);
    expect((await rows()).map(({ id }) => id)).toEqual([stays]);
  });

  test("that never got a txid are forgotten, and no others", async () => {
    await pending(NOON);
    const young = await pending(later(2));
    const tied = await keep("txid", NOON);
    await proofs().purgePending(later(2));
    expect((await rows()).map(({ id }) => id)).toEqual([young, tied].sort());
  });

  test("go with the last connection of their owner", async () => {
    const vault = store().vault;
    await testAccounts(store().db, vault).save(savedAccount(), anaKey);
    await accounts().save(savedAccount({ guildId: "elsewhere" }), anaKey);
    await keep("txid");
    await pending();
    const other = await keep("txid", NOON, "de outro", BRUNO);
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await list(ANA)).toHaveLength(1);
    await accounts().remove("elsewhere", ANA, ANA, NOON);
    expect((await rows()).map(({ id }) => id)).toEqual([other]);
  });

  test("are sealed anew with the current key, and read with it alone", async () => {
    const old = await keep("txid", NOON, "antes");
    await pending(NOON, "pendente");
    const both = parseKeyRing(`${ringLine("second")}\n${ringLine("first")}`);
    const report = await rotateKeys(store().db, both, WALLET, testRandom);
    expect(report).toMatchObject({ rotated: 4, sealedPerKid: new Map([["second", 4]]) });
    const onlySecond = parseKeyRing(ringLine("second"));
    const vault = await openVault(store().db, onlySecond, WALLET, testRandom);
    expect(await proofs(vault).list(ANA)).toMatchObject({
      proofs: [{ id: old, content: { text: "antes" } }],
    });
    expect((await rows()).map((row) => row.content_kid)).toEqual(["second", "second"]);
  });

  test("do not open as another's, as another row's, or as a PIX key", async () => {
    const [one, two] = [await keep("one"), await keep("two", later(DAY))];
    const [sealed] = (await rows()).filter(({ id }) => id === one);
    const { vault, db } = store();
    const open = (how: "openProof" | "openPixKey", rowId: string, ownerId: string) => () =>
      vault[how]({ rowId, ownerId }, sealed!.content);
    expect(open("openProof", one, ANA)()).toContain("pago");
    for (const opening of [
      open("openProof", two, ANA),
      open("openProof", one, BRUNO),
      open("openPixKey", one, ANA),
    ]) {
      expect(opening).toThrow(expect.objectContaining({ kind: "unreadable_secret" }));
    }
    await db.updateTable("proof").set({ content: sealed!.content }).where("id", "=", two).execute();
    await expect(proofs().find(ANA, two)).rejects.toMatchObject({ kind: "unreadable_secret" });
    expect(await list(ANA, ["two"])).toEqual([]);
  });

  test("that the key ring does not open are counted, and hide no others", async () => {
    const { db } = store();
    await keep("One", NOON, "antes");
    const [{ content } = { content: "" }] = await rows();
    await db
      .updateTable("proof")
      .set({ content: content.replace(".first.", ".dropped.") })
      .execute();
    const id = await keep("one", later(1));
    for (const found of [proofs().list(ANA), proofs().list(ANA, ["one"])])
      expect(await found).toMatchObject({ proofs: [{ id }], unreadable: 1 });
    expect(await proofs().list(ANA, ["two"])).toEqual({ proofs: [], unreadable: 0 });
  });
});
