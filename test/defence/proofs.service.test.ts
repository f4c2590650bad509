import { describe, expect, test } from "vitest";
import { proofDigest } from "#src/defence/proof.ts";
import { createProofs, type KeptMessage } from "#src/defence/proofs.service.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { UserError, WalletError } from "#src/shared/errors.ts";
import { MINUTE, SECOND } from "#src/shared/time.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { actor, openDisputeReading } from "../disputes/dispute-reading-stage.ts";
import { sampleDispute } from "../disputes/dispute-samples.ts";
import { sampleRow } from "../transactions/transaction-samples.ts";
import { BRUNO } from "../withdrawals/money-stage.ts";

const message = (given: Partial<KeptMessage> = {}): KeptMessage => ({
  messageId: "1180000000000000401",
  channelId: "1180000000000000101",
  authorId: "1180000000000000202",
  authorName: "Bruno",
  writtenAt: Temporal.Instant.from("2026-11-20T14:00Z"),
  editedAt: undefined,
  text: "Recebi",
  attachments: [],
  forwarded: false,
  ...given,
});
const SHA = "20e5c3dd7ba1d69b2ba7a55cd7ed0b1e4c9b1cd6e0fbc8a2f3ae9a5b8c8a2b8f";

const openDesk = async () => {
  const stage = await openDisputeReading();
  const { stores, clock } = stage;
  const listed = ["TX-1", "TX-2"];
  const failing = { with: new UserError({ kind: "transaction_not_found" }) as Error };
  const proofs = createProofs({
    clock,
    ...stores,
    transactions: {
      suggest: async () => listed.map((txid) => sampleRow({ txid })),
      detail: async () => {
        throw failing.with;
      },
    },
  });
  const tie = async (txid: string, given: Partial<KeptMessage> = {}) =>
    await proofs.tie(actor(), await proofs.hold(actor(), message(given)), txid);
  const keep = async (...given: Parameters<typeof tie>) => (await tie(...given)).proof;
  return { ...stage, failing, proofs, keep, tie };
};

describe("proofs", () => {
  test("are kept with the digest of what they say, under the txid that was typed", async () => {
    const { keep, proofs } = await openDesk();
    const kept = await keep("  TX-1 ");
    expect(kept).toMatchObject({ txid: "TX-1", content: { text: "Recebi" } });
    // sha256sum of ["1180000000000000202","Bruno","2026-11-20T14:00:00Z",null,"Recebi",[]]
    expect(kept.content.sha256).toBe(
      "673224618fbe382d5a101ba8f01daafba7ef8cfef75f6c310b16dfdd5c43411a",
    );
    expect(await proofs.read(actor(), kept.id)).toEqual(kept);
  });

  test("have a digest that their kept times make again, also of an edit within a millisecond", async () => {
    const { keep, proofs } = await openDesk();
    const at = Temporal.Instant.from("2026-11-20T14:00:12.345678Z");
    const { id } = await keep("TX-1", { writtenAt: at, editedAt: at });
    const { content } = await proofs.read(actor(), id);
    expect(proofDigest(content)).toBe(content.sha256);
  });

  test("are not kept again of the same message for the same sale", async () => {
    const { keep, tie, proofs } = await openDesk();
    const first = await keep("TX-1");
    expect(await tie(" TX-1")).toEqual({ proof: first, isNew: false, isSaleMissing: false });
    expect(await proofs.page(actor(), 0)).toMatchObject({ found: 1 });
    expect(await tie("TX-2")).toMatchObject({ isNew: true });
    expect(await tie("TX-1", { text: "Recebi, e agradeço" })).toMatchObject({ isNew: true });
    expect(await proofs.page(actor(), 0)).toMatchObject({ found: 3 });
    expect(await proofs.page(actor(), 0, "TX-1")).toMatchObject({ found: 2, txid: "TX-1" });
    expect(await proofs.page(actor(), 0, "another")).toMatchObject({ found: 0, txid: "another" });
  });

  test.each([
    ["the code of its MED, the only one in an alert", "MED-1", "E2E-1"],
    ["the txid of its MED in other case", "e2e-1", "E2E-1"],
    ["the txid of a sale in lower case", "tx-1", "TX-1"],
    ["the marks of a code and a full stop", "`TX-1`.", "TX-1"],
  ])("are of the sale that was typed with %s", async (_, typed, txid) => {
    const { add, disputes, keep, proofs, tie } = await openDesk();
    add("med-1", { txid: "E2E-1" });
    await disputes.detail(actor(), "med-1");
    const proof = await keep(typed);
    expect(proof.txid).toBe(txid);
    expect(await tie(txid)).toMatchObject({ proof, isNew: false, isSaleMissing: false });
    expect(await proofs.page(actor(), 0, typed)).toMatchObject({ found: 1 });
    const direct = actor({ guildId: "" });
    expect(await proofs.page(direct, 0, typed)).toMatchObject({ found: 1 });
  });

  test("are found by the code that they were kept with, also when it is known as that of a MED by now", async () => {
    const { add, disputes, keep, proofs } = await openDesk();
    await keep("MED-1");
    add("med-1", { txid: "E2E-1" });
    await disputes.detail(actor(), "med-1");
    expect(await proofs.page(actor(), 0, "MED-1")).toMatchObject({ found: 1, txid: "E2E-1" });
  });

  test("of a MED are found by each of its codes, on each page, whichever they were kept with", async () => {
    const { add, disputes, keep, proofs } = await openDesk();
    for (let nth = 1; nth <= 6; nth++) await keep("MED-1", { text: `do MED ${nth}` });
    for (let nth = 1; nth <= 6; nth++) await keep("TX-1", { text: `da venda ${nth}` });
    add("med-1", { txid: "E2E-1", saleTxid: "TX-1" });
    await disputes.detail(actor(), "med-1");
    for (const code of ["MED-1", "e2e-1", "tx-1"]) {
      const first = await proofs.page(actor(), 0, code);
      expect(first).toMatchObject({ found: 12, pages: 2 });
      // The button of the next page carries the txid of this one.
      expect(await proofs.page(actor(), 1, first.txid)).toMatchObject({ found: 12, page: 1 });
    }
  });

  test("are of a known MED that was not read in full yet, by its code", async () => {
    const { accountId, clock, stores, tie } = await openDesk();
    const unread = { ...followedDispute(accountId, sampleDispute(), clock.now()), txid: "" };
    await stores.disputeWatch.keep({ ...unread, infractionId: "med-1" }, [], clock.now());
    expect(await tie("MED-1")).toMatchObject({ proof: { txid: "med-1" }, isSaleMissing: false });
  });

  test("are kept with a code that is of no sale, which is said, and while the service fails", async () => {
    const { failing, tie } = await openDesk();
    const missing = { proof: { txid: "tx-9" }, isNew: true, isSaleMissing: true };
    expect(await tie("tx-9")).toMatchObject(missing);
    failing.with = new WalletError({ kind: "timeout", method: "GET", route: "/v1/x" });
    expect(await tie("tx-8")).toMatchObject({ proof: { txid: "tx-8" }, isSaleMissing: false });
  });

  test.each([
    ["empty", "  "],
    ["a sentence", "a venda de ontem"],
    ["too short", "ab"],
    ["too long", "a".repeat(101)],
    ["of hidden characters", "tx\u202e1234"],
  ])("take no txid that is %s, and wait for a better one", async (_, typed) => {
    const { proofs } = await openDesk();
    const pending = await proofs.hold(actor(), message());
    expect(await mistakeIn(proofs.tie(actor(), pending, typed))).toBe("txid_unreadable");
    expect(await proofs.tie(actor(), pending, "TX-1")).toMatchObject({
      proof: { txid: "TX-1" },
      isNew: true,
    });
  });

  test("are found again by a form that is sent twice, as when Discord lost the first answer", async () => {
    const { proofs } = await openDesk();
    const pending = await proofs.hold(actor(), message());
    const { proof } = await proofs.tie(actor(), pending, "TX-1");
    expect(await proofs.tie(actor(), pending, "TX-1")).toMatchObject({ proof, isNew: false });
    expect(await proofs.all(actor())).toMatchObject({ proofs: [proof] });
  });

  test("are tied once, by who kept the message, within a quarter of an hour", async () => {
    const { proofs, clock } = await openDesk();
    const pending = await proofs.hold(actor(), message());
    const others = actor({ userId: BRUNO });
    const gone = "proof_gone";
    expect(await mistakeIn(proofs.tie(others, pending, "TX-1"))).toBe(gone);
    await proofs.tie(actor(), pending, "TX-1");
    expect(await mistakeIn(proofs.tie(actor(), pending, "TX-2"))).toBe(gone);
    const late = await proofs.hold(actor(), message());
    clock.moveBy(15 * MINUTE + SECOND);
    expect(await mistakeIn(proofs.tie(actor(), late, "TX-1"))).toBe(gone);
  });

  test("are of messages that say or show something, by who is connected", async () => {
    const { proofs } = await openDesk();
    const hold = (given: Partial<KeptMessage>, userId?: string) => () =>
      proofs.hold(actor(userId === undefined ? {} : { userId }), message(given));
    expect(await mistakeIn(hold({ text: " \n" })())).toBe("proof_empty");
    expect(await mistakeIn(hold({}, BRUNO)())).toBe("not_connected");
    await expect(hold({ text: "", attachments: ["a.png"] })()).resolves.toBeTruthy();
  });

  test("come ten to a page, newest first, and the last page stands for those beyond it", async () => {
    const { proofs, keep, clock } = await openDesk();
    for (let n = 1; n <= 11; n++) {
      clock.moveBy(SECOND);
      await keep(`TX-${n}`);
    }
    const first = await proofs.page(actor(), 0);
    expect(first).toMatchObject({ page: 0, pages: 2, found: 11 });
    expect(first.rows.map(({ txid }) => txid)).toEqual(
      Array.from({ length: 10 }, (_, n) => `TX-${11 - n}`),
    );
    const beyond = await proofs.page(actor(), 9);
    expect([beyond.page, beyond.rows.map(({ txid }) => txid)]).toEqual([1, ["TX-1"]]);
    expect(await proofs.page(actor({ userId: BRUNO }), 0)).toMatchObject({ pages: 1, found: 0 });
  });

  test("are read and deleted by who kept them alone", async () => {
    const { proofs, keep } = await openDesk();
    const { id } = await keep("TX-1");
    const others = actor({ userId: BRUNO });
    const none = "proof_not_found";
    expect(await mistakeIn(proofs.read(others, id))).toBe(none);
    expect(await mistakeIn(proofs.remove(others, id))).toBe(none);
    await proofs.remove(actor(), id);
    expect(await mistakeIn(proofs.remove(actor(), id))).toBe(none);
  });

  test("are not held once the last connection went while they were asked for", async () => {
    const { stores, clock } = await openDesk();
    const { guildId, userId } = actor();
    const held: string[] = [];
    const proofs = createProofs({
      ...stores,
      clock,
      transactions: {
        suggest: async () => [],
        detail: () => Promise.reject(new Error("Not asked")),
      },
      accounts: {
        ...stores.accounts,
        find: async (...place) => {
          const found = await stores.accounts.find(...place);
          await stores.accounts.remove(guildId, userId, userId, clock.now());
          return found;
        },
      },
      proofs: {
        ...stores.proofs,
        keepPending: async (...given) => {
          const id = await stores.proofs.keepPending(...given);
          held.push(id);
          return id;
        },
      },
    });
    expect(await mistakeIn(proofs.hold(actor(), message()))).toBe("not_connected");
    expect(held).toHaveLength(1);
    expect(await stores.proofs.tie(userId, held[0]!, "TX-1", clock.now())).toBeUndefined();
  });

  test("S19: are 200 of one person at most, with those that waited while the last place was taken", async () => {
    const { proofs, stores, clock } = await openDesk();
    const { userId, guildId } = actor();
    const waiting = await proofs.hold(actor(), message({ text: "waits" }));
    for (let n = 0; n < 200; n++) {
      const content = { ...message(), sha256: `${SHA}-${n}` };
      const id = await stores.proofs.keepPending(userId, guildId, content, clock.now());
      await stores.proofs.tie(userId, id, "TX-1", clock.now());
    }
    expect(await mistakeIn(proofs.tie(actor(), waiting, "TX-2"))).toBe("proofs_full");
    expect(await mistakeIn(proofs.hold(actor(), message()))).toBe("proofs_full");
  });

  test("of the last place are found again by a form that is sent twice", async () => {
    const { proofs, stores, clock } = await openDesk();
    const { userId, guildId } = actor();
    for (let n = 1; n < 200; n++) {
      const content = { ...message(), sha256: `${SHA}-${n}` };
      const id = await stores.proofs.keepPending(userId, guildId, content, clock.now());
      await stores.proofs.tie(userId, id, "TX-1", clock.now());
    }
    const last = await proofs.hold(actor(), message({ text: "last" }));
    const { proof } = await proofs.tie(actor(), last, "TX-2");
    expect(await proofs.tie(actor(), last, "TX-2")).toMatchObject({ proof, isNew: false });
  });
});

describe("the digest of a message", () => {
  const digest = (given: Partial<KeptMessage> = {}) => proofDigest(message(given));

  test("changes with whatever is kept of it", () => {
    const changes: readonly Partial<KeptMessage>[] = [
      { authorId: "1" },
      { authorName: "Ana" },
      { writtenAt: Temporal.Instant.from("2026-11-20T14:00:00.001Z") },
      { editedAt: Temporal.Instant.from("2026-11-20T14:00Z") },
      { text: "Recebi " },
      { attachments: ["a"] },
      { text: "", attachments: ["Recebi"] },
      { attachments: ["a", "b"] },
      { attachments: ["a,b"] },
      { forwarded: true },
      { attachments: ["forwarded"] },
    ];
    const all = [{}, ...changes].map(digest);
    expect(new Set(all).size).toBe(all.length);
  });

  test("is SHA-256 over the documented list", () => {
    expect(digest()).toMatch(/^[0-9a-f]{64}$/);
    expect(digest({ messageId: "1", channelId: "2" })).toBe(digest());
  });
});
