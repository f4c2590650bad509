import { expect, test } from "vitest";
import { Secret } from "#src/shared/secret.ts";
import { BRUNO, brunoKey, savedAccount } from "../database/builders.ts";
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
