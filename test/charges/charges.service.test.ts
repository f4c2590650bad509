import { expect, test } from "vitest";
import { chargeView } from "#src/charges/charge.view.ts";
import { createCharges } from "#src/charges/charges.service.ts";
import type { OutboxStore } from "#src/delivery/outbox.store.ts";
import { quietLog, standingClock, testRandom } from "../support/databases.ts";
import { NOW } from "../support/samples.ts";
import { sampleCharge } from "./charge-samples.ts";

const unused = (): never => {
  throw new Error("Not asked for");
};

test.each([
  ["unknown", "unclear", "Não sei se o cartão saiu no canal"],
  ["due", "soon", "O cartão sai neste canal em instantes"],
  ["sent", "soon", "O cartão sai neste canal em instantes"],
] as const)("a card that is %s already is not enqueued, and is told as %s", async (...row) => {
  const [state, published, sentence] = row;
  const charge = sampleCharge();
  const outbox: Pick<OutboxStore, "enqueue" | "state"> = {
    enqueue: async () => false,
    state: async () => state,
  };
  const charges = createCharges({
    clock: standingClock(NOW.toString()),
    log: quietLog,
    random: testRandom,
    accounts: { findWithKey: unused },
    charges: { begin: unused, change: unused, find: async () => charge, claimed: unused },
    wallet: { createCharge: unused },
    outbox,
    cardOf: () => ({}),
    wake: () => {},
  });
  const facts = await charges.publish({ userId: charge.ownerId }, charge.id);
  expect(facts.published).toBe(published);
  const shown = JSON.stringify(chargeView(facts, "pt-BR"));
  expect(shown).toContain(sentence);
  expect(shown).toContain("cobrar:publicar:");
});
