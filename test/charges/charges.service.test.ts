import { expect, test } from "vitest";
import { chargeSettlement } from "#src/charges/charge-cards.job.ts";
import { chargeView } from "#src/charges/charge.view.ts";
import type { Charge } from "#src/charges/charge.ts";
import { createCharges } from "#src/charges/charges.service.ts";
import type { PostOutcome } from "#src/delivery/delivery.ts";
import { settlementOf } from "#src/delivery/settlement.ts";
import type { OutboxStore } from "#src/delivery/outbox.store.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { presenceParts } from "../accounts/presence-parts.ts";
import { quietLog, standingClock, testRandom } from "../support/databases.ts";
import { NOW, sampleAccount } from "../support/samples.ts";
import {
  ANA,
  ANA_KEY,
  CHANNEL,
  connect,
  disconnect,
  GUILD,
  openGuild,
  OTHER_GUILD,
} from "../support/guild.ts";
import { directChannel } from "../support/fake-channels.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleCharge } from "./charge-samples.ts";
import { hint, setUp, unlimited } from "./charge-stage.ts";

const unused = (): never => {
  throw new Error("Not asked for");
};

type Parts = Parameters<typeof createCharges>[0];

/** Of a seller who is connected; what it is not given must not be asked. */
const chargesWith = (given: Partial<Parts> & Pick<Parts, "charges">, now = NOW) =>
  createCharges({
    clock: standingClock(now.toString()),
    log: quietLog,
    random: testRandom,
    accounts: {
      findWithKey: async () => ({ account: sampleAccount(), apiKey: new Secret(ANA_KEY) }),
    },
    wallet: { createCharge: unused },
    outbox: { cancelUnsent: unused, enqueue: unused, state: unused },
    failedPosts: unlimited,
    cardOf: unused,
    foundNotice: unused,
    confirmPresence: unused,
    wake: unused,
    ...given,
  });

/** A charge of Ana's, who is connected in these servers. */
const begun = async (given: Partial<Charge> = {}, guildIds: readonly string[] = [GUILD]) => {
  const guild = await openGuild();
  const { services, stores, person } = guild;
  for (const guildId of guildIds) await connect(person(ANA, { guildId }), ANA_KEY);
  const { id: accountId } = (await stores.accounts.find(GUILD, ANA))!;
  const charge = sampleCharge({ accountId, ...given });
  await stores.charges.begin(charge, "i1");
  const { id } = charge;
  const publish = () => services.charges.publish({ userId: ANA, channelId: CHANNEL }, id);
  return { ...guild, charge, id, publish };
};

const UNCLEAR = "Não sei se o cartão saiu no canal";
const SENT = "O cartão já saiu neste canal. Se não está mais aqui, copie o código e mande.";

test.each([
  ["unknown", "unclear", UNCLEAR, 0],
  ["due", "soon", "O cartão sai neste canal em instantes", 0],
  ["sent", "sent", SENT, 0],
  ["unknown", "unclear", UNCLEAR, HOUR],
  ["sent", "sent", SENT, HOUR],
] as const)("a card that is %s already is not enqueued, and is told as %s", async (...row) => {
  const [state, published, sentence, lateMs] = row;
  const charge = sampleCharge();
  const outbox: Pick<OutboxStore, "cancelUnsent" | "enqueue" | "state"> = {
    cancelUnsent: unused,
    enqueue: async () => false,
    state: async () => state,
  };
  const found = { begin: unused, change: unused, find: async () => charge };
  const parts = { charges: found, outbox, cardOf: () => ({}), confirmPresence: async () => {} };
  const charges = chargesWith({ ...parts, wake: () => {} }, NOW.add({ milliseconds: lateMs }));
  const facts = await charges.publish(
    { userId: charge.ownerId, channelId: charge.channelId },
    charge.id,
  );
  expect(facts.published).toBe(published);
  const shown = JSON.stringify(chargeView(facts, "pt-BR"));
  expect(shown).toContain(sentence);
  expect(shown).toContain("cobrar:publicar:");
});

test("a charge whose time ends before it was made, by a clock behind ours, is not told as expired", async () => {
  const { ask, service, look, charges } = await setUp();
  const expiresAt = NOW.subtract({ minutes: 30 });
  service.status = () => hint("pending", { expiresAt });
  const { kept } = await ask(async () => {}, expiresAt);
  await look();
  expect(await charges.find(kept?.id ?? "")).toMatchObject({ state: "open", expiresAt: undefined });
});

test("a code past its time is not given", async () => {
  const { services, charge, clock } = await begun({ expiresAt: NOW.add({ minutes: 30 }) });
  const code = () => services.charges.code({ guildId: GUILD }, charge.id);
  expect(await code()).toBe(charge.code);
  clock.moveBy(31 * MINUTE);
  expect(await mistakeIn(code())).toBe("charge_gone");
});

test.each([
  ["of another server", { guildId: OTHER_GUILD }],
  ["that was paid already", { state: "paid" }],
] as const)("the code of a charge %s is not given", async (_, given) => {
  const { services, charge } = await begun(given);
  expect(await mistakeIn(services.charges.code({ guildId: GUILD }, charge.id))).toBe("charge_gone");
});

test("a charge whose connection goes before it is begun is not asked for", async () => {
  const connections = [{ account: sampleAccount(), apiKey: new Secret(ANA_KEY) }];
  const charges = chargesWith({
    accounts: { findWithKey: async () => connections.pop() },
    charges: { begin: async () => false, change: unused, find: unused },
  });
  const place = { guildId: GUILD, channelId: CHANNEL, userId: ANA, interactionId: "i1" };
  const charger = { ...place, locale: "pt-BR", guildLocale: "pt-BR" } as const;
  const { amount, description } = sampleCharge();
  const asked = charges.create(charger, { amount, description });
  expect(await mistakeIn(asked)).toBe("not_connected");
});

test.each([
  ["from its channel, in which the seller may write", { channelId: `${CHANNEL}0` }],
  ["by its seller", { ownerId: `${ANA}0` }],
])("a card is posted only %s", async (_, given) => {
  const { publish } = await begun(given);
  expect(await mistakeIn(publish())).toBe("charge_gone");
});

test("a card is not posted in a server from which its seller has disconnected", async () => {
  const guild = await begun({}, [OTHER_GUILD, GUILD]);
  const { services, stores, channels, delivered, person, publish, id } = guild;
  await disconnect(services);
  expect(await stores.charges.find(id)).toMatchObject({ state: "open" });
  expect(await mistakeIn(publish())).toBe("not_connected");
  await delivered();
  expect(channels.inChannel(CHANNEL)).toEqual([]);
  await connect(person(ANA), ANA_KEY);
  await publish();
  await delivered();
  expect(channels.inChannel(CHANNEL)).toHaveLength(1);
});

test("a card of who has left the server and is back the same day is posted", async () => {
  const guild = await begun();
  const { stores, channels, clock, judge, delivered, publish } = guild;
  await stores.presences.keep(GUILD, ANA, "left", clock.now(), undefined);
  judge.revalidate = presenceParts(guild, async () => ({ kind: "here" }), judge.revalidate).judge;
  await publish();
  await delivered();
  expect(channels.inChannel(CHANNEL)).toHaveLength(1);
});

/**
 * A charge of Ana's, whose card is not posted while `refusal` is Discord's answer, unless it is `made` all the same.
 * `direct`: its answer to direct messages.
 */
const unposted = async (
  refusal: PostOutcome,
  {
    made = false,
    direct,
    ...given
  }: Partial<Charge> & { made?: boolean; direct?: PostOutcome } = {},
) => {
  const guild = await begun(given);
  const { channels, delivered, publish } = guild;
  channels.mishap = (channelId) => {
    if (channelId === CHANNEL) return { outcome: refusal, made };
    return direct && { outcome: direct, made: false };
  };
  const post = async (): Promise<void> => {
    await publish();
    await delivered();
  };
  await post();
  const told = (): string => JSON.stringify(channels.inChannel(directChannel(ANA)));
  return { ...guild, post, told };
};

const UNANSWERED = { kind: "unclear", reason: "504" } as const;
const THROTTLED = { kind: "throttled", retryAfterMs: 1 } as const;

test.each([
  ["in a lost channel asks for permissions", { kind: "lost_channel", code: 50_001 }, true],
  ["that Discord refuses does not", { kind: "rejected", status: 400, code: undefined }, false],
  ["that was too late does not", THROTTLED, false],
] as const)("the message about a card %s", async (_, refusal, asks) => {
  const { clock, deliver, told } = await unposted(refusal, { expiresAt: undefined });
  if (refusal === THROTTLED) {
    clock.moveBy(HOUR + MINUTE);
    await deliver();
  }
  expect(told()).toContain("O cartão da cobrança não saiu no canal");
  expect(told().includes("peça a quem gerencia o servidor que me deixe ver o canal")).toBe(asks);
  expect(told().includes("Não deu para mandar desta vez")).toBe(!asks);
});

test("a card that Discord refuses is tried again five times in ten minutes at most", async () => {
  const { channels, clock, post } = await unposted({ kind: "lost_channel", code: 50_013 });
  const { mishap } = channels;
  let refused = 0;
  channels.mishap = (channelId) => (refused++, mishap?.(channelId));
  for (let tries = 0; tries < 5; tries++) await post();
  expect(refused).toBe(5);
  expect(await mistakeIn(post())).toBe("too_many_failed_posts");
  channels.mishap = undefined;
  clock.moveBy(10 * MINUTE);
  await post();
  expect(channels.inChannel(CHANNEL)).toHaveLength(1);
});

test("a card that was deleted is not posted again, and its seller learns what to do", async () => {
  const { channels, publish, post } = await unposted({ kind: "posted_then_deleted" });
  channels.mishap = undefined;
  await post();
  expect(channels.inChannel(CHANNEL)).toEqual([]);
  expect((await publish()).published).toBe("sent");
});

test.each([
  ["in time", 10 * MINUTE],
  ["too late to try again", HOUR + MINUTE],
])("a seller is told, %s, of a card that may be in the channel, and may not", async (_, later) => {
  const unclear = { kind: "unclear", reason: "500" } as const;
  const { channels, clock, deliver, told } = await unposted(unclear, { expiresAt: undefined });
  channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
  clock.moveBy(later);
  await deliver();
  expect(told()).toContain("Não sei se o cartão da cobrança saiu no canal");
  expect(told()).toContain("se não saiu, copie o código");
  expect(told()).not.toContain("Toque de novo");
});

test.each([
  ["Não sei se o cartão da cobrança saiu", 50_013, SECOND, true],
  ["Não sei se o cartão da cobrança saiu", undefined, SECOND, true],
  ["O cartão da cobrança não saiu", 50_013, 10 * MINUTE, false],
] as const)("after an attempt without an answer, a refusal tells: %s (%#)", async (...row) => {
  const [sentence, code, later, made] = row;
  const { channels, clock, deliver, told } = await unposted(UNANSWERED, { made });
  const outcome: PostOutcome =
    code === undefined ? { kind: "rejected", status: 400, code } : { kind: "lost_channel", code };
  channels.mishap = (channelId) => (channelId === CHANNEL ? { outcome, made: false } : undefined);
  clock.moveBy(later);
  await deliver();
  expect(told()).toContain(sentence);
});

test.each([
  ["was paid", { state: "paid", nextCheckAt: undefined }, MINUTE, undefined, "Pago"],
  [
    "is past its time",
    {},
    32 * MINUTE,
    "late",
    "O prazo deste código acabou, então não publiquei.",
  ],
] as const)(
  "a card that waited is not posted once its charge %s, which is told",
  async (...row) => {
    const [, change, later, published, sentence] = row;
    const { stores, channels, clock, deliver, told, id, publish } = await unposted(THROTTLED);
    const charge = (await stores.charges.find(id))!;
    await stores.charges.change(charge, change, [], clock.now());
    channels.mishap = undefined;
    for (let time = 0; time < 2; time++) {
      clock.moveBy(later);
      await deliver();
    }
    expect(channels.inChannel(CHANNEL)).toEqual([]);
    expect(told()).not.toContain("cartão");
    const facts = await publish();
    expect(facts.published).toBe(published);
    expect(chargeView(facts, "pt-BR").embeds?.[0]?.description ?? "").not.toContain("Mostre");
    expect(JSON.stringify(chargeView(facts, "pt-BR"))).toContain(sentence);
  },
);

test.each([
  ["not sent once it was paid", { state: "paid", nextCheckAt: undefined }, 10 * MINUTE, false],
  [
    "not sent once it was paid with another amount",
    { state: "unfollowed", received: cents(5_000), endedAt: NOW, nextCheckAt: undefined },
    10 * MINUTE,
    false,
  ],
  ["not sent once it is past its time", {}, 32 * MINUTE, false],
  [
    "sent although it was left: it may still be paid",
    { state: "unfollowed", nextCheckAt: undefined },
    10 * MINUTE,
    true,
  ],
] as const)("a message with the code of a charge is %s", async (...row) => {
  const [, change, later, isSent] = row;
  const guild = await unposted({ kind: "lost_channel", code: 50_001 }, { direct: THROTTLED });
  const { stores, channels, clock, deliver, told, id } = guild;
  const charge = (await stores.charges.find(id))!;
  await stores.charges.change(charge, change, [], clock.now());
  channels.mishap = undefined;
  clock.moveBy(later);
  await deliver();
  expect(told().includes("cartão")).toBe(isSent);
});

test("a card that an attempt posted is found although its charge was paid before Discord shows it", async () => {
  const guild = await unposted(UNANSWERED, { made: true });
  const { stores, channels, clock, deliver, id } = guild;
  const charge = (await stores.charges.find(id))!;
  await stores.charges.change(charge, { state: "paid", nextCheckAt: undefined }, [], clock.now());
  channels.mishap = undefined;
  channels.searchMishap = () => ({ kind: "absent" });
  clock.moveBy(SECOND);
  await deliver();
  channels.searchMishap = undefined;
  clock.moveBy(10 * MINUTE);
  await deliver();
  expect(channels.inChannel(CHANNEL)).toHaveLength(1);
  expect(await stores.charges.staleCards(9)).toMatchObject([
    { id, state: "paid", card: { channelId: CHANNEL } },
  ]);
});

test("a seller who has left the server is not told that a card was not posted", async () => {
  const { clock, stores } = await unposted(THROTTLED);
  clock.moveBy(MINUTE);
  const wanted = { owner: "p1", leaseMs: MINUTE, limit: 1 };
  const [claim] = await stores.outbox.claim({ ...wanted, now: clock.now() });
  const left = settlementOf(claim!, { kind: "untrue", unsent: undefined }, clock.now());
  await chargeSettlement({ ...stores, clock }).onSettling?.(claim!, left);
  await stores.outbox.settle(claim!, left);
  expect(await stores.outbox.claim({ ...wanted, now: clock.now() })).toEqual([]);
});

test.each([
  ["in which its seller has no other connection", [], "", 0],
  ["in which its seller has no other connection", [], "", 10 * MINUTE],
  ["though another connection has its charge", [OTHER_GUILD], ANA, 10 * MINUTE],
] as const)(
  "a card that an attempt may have posted is found after the removal of a connection %s (%#)",
  async (_, others, ownerId, later) => {
    const guild = await unposted(UNANSWERED, { made: true });
    const { services, stores, channels, clock, deliver, person, id } = guild;
    for (const guildId of others) await connect(person(ANA, { guildId }), ANA_KEY);
    clock.moveBy(later);
    await disconnect(services);
    channels.mishap = undefined;
    clock.moveBy(10 * MINUTE);
    await deliver();
    expect(channels.inChannel(CHANNEL)).toHaveLength(1);
    expect(await stores.charges.find(id)).toMatchObject({
      ownerId,
      card: { channelId: CHANNEL },
    });
    const stale = others.length === 0 ? [{ id, state: "unfollowed" }] : [];
    expect(await stores.charges.staleCards(9)).toMatchObject(stale);
  },
);

test.each([
  ["was not posted", undefined],
  ["cannot be searched for", { kind: "unreadable", lasting: true }],
] as const)(
  "a card that %s after all is not posted once its seller has disconnected, and leaves no charge",
  async (_, search) => {
    const guild = await unposted(UNANSWERED);
    const { services, stores, channels, clock, deliver, id, told } = guild;
    await disconnect(services);
    channels.mishap = undefined;
    channels.searchMishap = () => search;
    clock.moveBy(10 * MINUTE);
    await deliver();
    expect(channels.inChannel(CHANNEL)).toEqual([]);
    expect(await stores.charges.find(id)).toBeUndefined();
    expect(told()).not.toContain("cartão");
  },
);

test("a card that was not posted after all is not posted without its text, though another connection has its charge", async () => {
  const { services, channels, clock, deliver, person } = await unposted(UNANSWERED);
  await connect(person(ANA, { guildId: OTHER_GUILD }), ANA_KEY);
  await disconnect(services);
  channels.mishap = undefined;
  clock.moveBy(10 * MINUTE);
  await deliver();
  expect(channels.inChannel(CHANNEL)).toEqual([]);
});

test("a card that an attempt posted during the removal of its connection is found once Discord shows it", async () => {
  const guild = await begun();
  const { services, stores, channels, clock, delivered, deliver, publish, id } = guild;
  const { post } = channels;
  channels.post = async (...card) => {
    channels.post = post;
    await post(...card);
    await disconnect(services);
    return { kind: "unclear", reason: "504" };
  };
  channels.searchMishap = () => ({ kind: "absent" });
  await publish();
  await delivered();
  clock.moveBy(SECOND);
  await deliver();
  channels.searchMishap = undefined;
  clock.moveBy(10 * MINUTE);
  await deliver();
  expect(channels.inChannel(CHANNEL)).toHaveLength(1);
  expect(await stores.charges.find(id)).toMatchObject({
    ownerId: "",
    card: { channelId: CHANNEL },
  });
});
