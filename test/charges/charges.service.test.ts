import { expect, test } from "vitest";
import { chargeView } from "#src/charges/charge.view.ts";
import { createCharges } from "#src/charges/charges.service.ts";
import type { OutboxStore } from "#src/delivery/outbox.store.ts";
import { Secret } from "#src/shared/secret.ts";
import { quietLog, standingClock, testRandom } from "../support/databases.ts";
import { NOW, sampleAccount } from "../support/samples.ts";
import { ANA, ANA_KEY, CHANNEL, connect, GUILD, openGuild, OTHER_GUILD } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
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
    accounts: {
      findWithKey: async () => ({ account: sampleAccount(), apiKey: new Secret(ANA_KEY) }),
    },
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

test("a card is not posted in a server from which its seller has disconnected", async () => {
  const { services, stores, channels, delivered, person } = await openGuild();
  for (const guildId of [OTHER_GUILD, GUILD]) await connect(person(ANA, { guildId }), ANA_KEY);
  const { id: accountId } = (await stores.accounts.find(GUILD, ANA))!;
  const { id } = sampleCharge();
  await stores.charges.begin(sampleCharge({ accountId }), "i1");
  await services.accounts.disconnect(GUILD, ANA, "nothing");
  expect(await stores.charges.find(id)).toMatchObject({ state: "open" });
  expect(await mistakeIn(services.charges.publish({ userId: ANA }, id))).toBe("not_connected");
  await delivered();
  expect(channels.inChannel(CHANNEL)).toEqual([]);
  await connect(person(ANA), ANA_KEY);
  await services.charges.publish({ userId: ANA }, id);
  await delivered();
  expect(channels.inChannel(CHANNEL)).toHaveLength(1);
});
