import { expect, test } from "vitest";
import { Secret } from "#src/shared/secret.ts";
import { DAY, MINUTE } from "#src/shared/time.ts";
import {
  chargesStore,
  deleteChargesOf,
  handOverCharges,
  leaveCharges,
} from "#src/charges/charges.store.ts";
import { closesStore } from "#src/closes/closes.store.ts";
import { ANA, BRUNO, brunoKey, NOON, savedAccount } from "../database/builders.ts";
import { useQueryPlans } from "../database/query-plans.ts";
import { standingClock } from "../support/databases.ts";
import { NOW } from "../support/samples.ts";
import { sampleCharge } from "./charge-samples.ts";
import { hint, payment, setUp } from "./charge-stage.ts";

/** More than are claimed together. */
const MANY = 40;

test("a payment is told while another seller's many charges wait for the service", async () => {
  const many = Array.from({ length: MANY }, (_, index) => ({ txid: `slow-${index}` }));
  const stage = await setUp(...many);
  const bruno = await stage.accounts.save(
    savedAccount({ ownerId: BRUNO, connectedBy: BRUNO }),
    brunoKey,
    BRUNO,
  );
  const { id: accountId, ownerId } = bruno;
  const paid = { id: "paid", accountId, ownerId, txid: "quick" };
  const nextCheckAt = stage.clock.now().add({ milliseconds: 1 });
  await stage.charges.begin(sampleCharge({ ...paid, nextCheckAt }), "ipaid");
  stage.clock.moveBy(1);

  // The service answers about the others once it was asked about this one.
  const asked = Promise.withResolvers<void>();
  stage.service.busy = async (txid) => {
    if (txid === paid.txid) asked.resolve();
    else await asked.promise;
  };
  stage.service.status = (txid) => hint(txid === paid.txid ? "paid" : "pending");
  stage.service.detail = (txid) => payment(txid === paid.txid ? "approved" : "pending", { txid });
  await stage.follow();
  expect((await stage.charges.find(paid.id))?.state).toBe("paid");
  for (let index = 0; index < MANY; index++) expect((await stage.charge(index)).checks).toBe(1);
});

test("a payment is told that the service calls about while its charge is being looked at", async () => {
  const stage = await setUp({ createdAt: NOW.subtract({ hours: 12 }), expiresAt: undefined });
  let isPaid = false;
  stage.service.busy = async () => {
    if (isPaid) return;
    isPaid = true;
    await stage.charges.makeDue([stage.account.id], stage.clock.now());
    await stage.follow();
  };
  stage.service.status = () => hint(stage.reads.length > 1 ? "paid" : "pending");
  stage.service.detail = (txid) => payment("approved", { txid });
  await stage.follow();
  expect(await stage.charge()).toMatchObject({ state: "paid", checks: 1 });
});

/** More than are looked at together. */
const SELLERS = 40;

test("while all places are taken, a run asks for no further run at once", async () => {
  const stage = await setUp();
  const others = Array.from({ length: SELLERS }, (_, index) => `other${index}`);
  for (const id of others) {
    const ownerId = `owner-${id}`;
    const seller = savedAccount({ ownerId, connectedBy: ownerId });
    const { id: accountId } = await stage.accounts.save(
      seller,
      new Secret(`sk_sandbox_${ownerId}`),
      ownerId,
    );
    await stage.charges.begin(sampleCharge({ id, accountId, ownerId, txid: "slow" }), `i${id}`);
  }
  const answers = Promise.withResolvers<void>();
  stage.service.busy = () => answers.promise;
  const first = stage.follow();
  await expect.poll(() => stage.reads.length).toBe(16);
  expect(await stage.follow()).toBeUndefined();
  answers.resolve();
  expect(Temporal.Instant.compare((await first)!, stage.clock.now())).toBe(1);
  for (const id of others) expect((await stage.charges.find(id))?.checks).toBe(1);
});

/** More than one run edits. */
const CARDS = 60;

const withCardsOf = async (channelId: string) => {
  const ids = Array.from({ length: CARDS }, (_, index) => `card${100 + index}`);
  const ended = { state: "expired", nextCheckAt: undefined } as const;
  const stage = await setUp(...ids.map((id) => ({ id, txid: id, ...ended })));
  for (const id of ids) await stage.charges.posted(id, channelId, id);
  /** The tries of the next `runs`, a minute apart. */
  const tries = async (runs: number): Promise<readonly string[]> => {
    stage.edits.length = 0;
    for (let run = 0; run < runs; run++) {
      await stage.follow();
      stage.clock.moveBy(MINUTE);
    }
    return [...stage.edits];
  };
  return { ...stage, tries };
};

test.each(["refused", "later"] as const)(
  "the cards of a channel whose edits are %s keep no card of another channel waiting",
  async (outcome) => {
    const { charges, discord, tries } = await withCardsOf("closed");
    const id = "other-card";
    const other = { txid: "other", state: "paid", nextCheckAt: undefined } as const;
    const { accountId } = (await charges.find("card100"))!;
    await charges.begin(sampleCharge({ id, accountId, ...other }), "iother");
    await charges.posted(id, "open", id);
    discord.edit = (channelId) => (channelId === "closed" ? outcome : "edited");
    expect(await tries(2)).toContain(id);
  },
);

test("a channel that refuses edits is tried once after ever longer pauses, a day at most", async () => {
  const { clock, discord, tries } = await withCardsOf("closed");
  discord.edit = () => "refused";
  await tries(1);
  // After 2, 6, 14, 30 and 62 minutes.
  expect(await tries(65)).toHaveLength(5);
  for (let days = 0; days < 9; days++) {
    clock.moveBy(DAY);
    expect((await tries(2)).length).toBeLessThanOrEqual(1);
  }
  clock.moveBy(DAY);
  expect(await tries(2)).toHaveLength(1);
  clock.moveBy(-1.5 * DAY);
  expect(await tries(2)).toHaveLength(1);
  discord.edit = () => "edited";
  clock.moveBy(DAY);
  expect(new Set(await tries(4)).size).toBe(CARDS);
  expect(await tries(2)).toEqual([]);
});

test("a channel that Discord takes no edits of now is tried again every two minutes", async () => {
  const { discord, tries } = await withCardsOf("limited");
  discord.edit = () => "later";
  await tries(1);
  expect(await tries(7)).toHaveLength(3);
});

/** A query plan that reads every charge, instead of a part of an index, or of one that has stale cards alone. */
const READS_ALL = /^SCAN charge(?! USING INDEX charge_cards$)/;

/** SQLite answers on the bot's only thread, and charges are kept for long. */
test("No question about charges, and no connection that ends, reads all of them", async () => {
  const { db, plans } = await useQueryPlans(standingClock(NOON.toString()));
  const charges = chargesStore(db);
  await charges.countOpen("one");
  await charges.claimDue(NOON, 8, 2 * MINUTE, []);
  await charges.nextCheckAt([]);
  await charges.makeDue(["one"], NOON);
  await charges.claimed("one", ["t1"]);
  await charges.staleCards(8);
  await charges.purge(NOON);
  await handOverCharges(db, "one", { id: "other" });
  await leaveCharges(db, { id: "one" });
  await deleteChargesOf(db, ANA);
  const period = {
    from: Temporal.PlainDate.from("2026-11-01"),
    to: Temporal.PlainDate.from("2026-11-30"),
  };
  await closesStore(db).activity({ accountFp: "fp", watchId: "watch" }, period);
  const found = plans(/"charge"/);
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter(({ steps }) => steps.some((step) => READS_ALL.test(step)))).toEqual([]);
});
