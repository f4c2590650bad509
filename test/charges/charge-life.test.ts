import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cardKey, type Charge, chargeNoticeKey } from "#src/charges/charge.ts";
import { createFollowCharges } from "#src/charges/charges.job.ts";
import { referenceOf } from "#src/delivery/delivery.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { quietLog } from "../support/databases.ts";
import { directChannel, type Mishap } from "../support/fake-channels.ts";
import * as guilds from "../support/guild.ts";
import { sampleReport } from "../support/samples.ts";
import { missing, payment, unauthorized, unavailable } from "./charge-stage.ts";

const { ANA, BRUNO, CHANNEL, GUILD, OTHER_GUILD } = guilds;
const PLACES = [GUILD, OTHER_GUILD].flatMap((guildId) =>
  [ANA, BRUNO].map((ownerId) => ({ guildId, ownerId })),
);
type Place = (typeof PLACES)[number];
const KINDS =
  "ask ask ask ask ask pay sell sell post wait wait away mute mute lose revoke connect leave repeat";
/** Answers to a request: the code, lost, lost without a charge, without a txid, a crash, late, and after a removal. */
const FATES = ["told", "told", "lost", "lost", "void", "bare", "dies", "late", "leaves"] as const;
const MUTES: readonly Mishap[] = [
  { outcome: { kind: "throttled", retryAfterMs: MINUTE }, made: false },
  ...[false, true].map((made) => ({ outcome: { kind: "unclear", reason: "504" }, made }) as const),
];
const LOST: Mishap = { outcome: { kind: "lost_channel", code: 50_001 }, made: false };
const acts = fc.record({
  kind: fc.constantFrom(...KINDS.split(" ")),
  which: fc.nat(99),
  fate: fc.constantFrom(...FATES),
});
type Act = typeof acts extends fc.Arbitrary<infer Each> ? Each : never;

/** A request of a seller, with the states of its charge so far. `isLeft`: the seller had no key for a while. */
interface Ask extends Pick<Act, "fate"> {
  readonly place: Place;
  readonly description: string;
  readonly states: Charge["state"][];
  requests: number;
  id: string;
  row?: Charge;
  isLeft?: true;
}

/** Plays a life of charges beside a model of the service. @returns what was told or shown without being true */
const play = async (plan: readonly Act[]): Promise<readonly string[]> => {
  const guild = await guilds.openGuild();
  const { clock, stores, services, channels } = guild;
  const asks: Ask[] = [];
  const connections = new Map<Place, string>();
  const revoked = new Set<string>();
  const bodies = new Map<string, string>();
  const wrong = new Set<string>();
  let [isAway, isLost, read] = [false, false, 0];
  let mute: Mishap | undefined;
  const isPast = (at: Temporal.Instant, ms = 0) => clock.now().since(at).total("milliseconds") > ms;
  /** A payment of a request, or a sale of the same thing elsewhere. */
  const made = ({ place, description }: Ask, count: number, by?: Ask) => ({
    ...payment("pending", { txid: `tx${count}`, description, createdAt: clock.now() }),
    by,
    ownerId: place.ownerId,
    code: `PIX${count}CODE`,
    expiresAt: clock.now().add({ minutes: 30 }),
  });
  let payments: readonly ReturnType<typeof made>[] = [];
  const paymentsOf = ({ apiKey }: { readonly apiKey: Secret }) => {
    const key = apiKey.reveal();
    if (isAway) unavailable();
    if (revoked.has(key)) unauthorized();
    return payments.filter(({ ownerId }) => key.includes(ownerId));
  };
  const find = (key: { readonly apiKey: Secret }, id: string) =>
    paymentsOf(key).find(({ txid }) => txid === id) ?? missing();

  const userIdOf = (apiKey: Secret) => ({ userId: apiKey.reveal().slice(0, 12) });
  guild.wallet.report = async ({ apiKey }) => ({ ...sampleReport(), ...userIdOf(apiKey) });
  guild.wallet.createCharge = async ({ apiKey }) => {
    const ask = asks.at(-1)!;
    const { fate } = ask;
    const rows = guild.db.selectFrom("charge").select("id").where("state", "=", "creating");
    ({ id: ask.id } = (await rows.execute()).find((row) => asks.every(({ id }) => id !== row.id))!);
    ask.requests += 1;
    const at = { httpStatus: 400, requestId: undefined, retryAfterMs: undefined, errorCode: "x" };
    const untold = { message: undefined, shortfall: undefined, ...at };
    if (isAway) return { state: "not_sent", reason: "unreachable", ...at };
    if (revoked.has(apiKey.reveal())) return { state: "rejected", reason: "refused", ...untold };
    if (fate === "late") await pass(20 * MINUTE);
    const own = made(ask, payments.length, ask);
    if (fate !== "void") payments = [...payments, own];
    if (fate === "lost" || fate === "void") return { state: "unknown", ...at };
    if (fate === "dies") throw new Error("The process died");
    if (fate === "leaves") await leave(ask.place);
    const txid = fate === "bare" ? undefined : own.txid;
    return { state: "accepted", value: { ...own, txid, problem: undefined }, ...at };
  };
  channels.mishap = (channelId) => (isLost && channelId === CHANNEL ? LOST : mute);
  channels.searchMishap = () => mute && { kind: "unreadable", lasting: false };
  const needs = { ...stores, clock, log: quietLog, onOwed: () => {}, show: async () => false };
  const follow = createFollowCharges({
    ...needs,
    wallet: {
      chargeStatus: async (key, txid) => {
        const { code, expiresAt, status } = find(key, txid);
        return { code, expiresAt, status: isPast(expiresAt) ? "expired" : status };
      },
      transaction: async (key, txid) => find(key, txid),
      transactions: async (key) => ({ items: paymentsOf(key), unnamed: 0, next: undefined }),
    },
    edit: async (_, messageId, body) => {
      if (isLost || mute !== undefined) return isLost ? "refused" : "later";
      bodies.set(messageId, JSON.stringify(body));
      return "edited";
    },
  });
  /** Whether the service has it as the charge's new state says. */
  const isTrue = (ask: Ask, { state, problem, txid }: Charge): boolean => {
    const own = payments.find(({ by }) => by === ask);
    const its = payments.find((each) => each.txid === txid);
    const others = asks.filter((each) => each !== ask && each.place.ownerId === ask.place.ownerId);
    const isTaken = (id?: string) => others.some(({ row }) => id !== undefined && row?.txid === id);
    if (isTaken(txid)) return false;
    const hasTwin = payments.some((each) => each !== own && each.description === ask.description);
    // A payment that the service made too late, never, or without naming it, or that a charge of the same moment has,
    // cannot be told from a sale of the same thing.
    const isUnknown = own === undefined || ["late", "bare"].includes(ask.fate) || isTaken(own.txid);
    const isOwn = its === own || (hasTwin && isUnknown);
    const truths: Partial<Record<typeof state, boolean>> = {
      open: its === undefined || (isOwn && !isPast(its.expiresAt, MINUTE)),
      paid: isOwn && its?.status === "approved",
      // One that the service did not name may be known by its time alone.
      expired: ask.fate === "bare" || (isOwn && its?.status === "pending" && isPast(its.expiresAt)),
      missing: problem
        ? hasTwin || own?.status !== "pending"
        : own === undefined || isTaken(own.txid),
      unfollowed: ask.isLeft === true,
    };
    return truths[state] ?? (own === undefined || state === "creating" || state === "unknown");
  };
  const postsOf = (channelId: string, key: string) =>
    channels.inChannel(channelId).filter(({ text }) => text.includes(referenceOf(key)));
  const judge = async (): Promise<void> => {
    for (const ask of asks) {
      const row = await stores.charges.find(ask.id);
      if (row === undefined || ask.row?.state === row.state) continue;
      if (ask.row?.state === "paid") wrong.add(`paid and then ${row.state}`);
      ask.row = row;
      ask.states.push(row.state);
      if (!isTrue(ask, row)) wrong.add(`${ask.fate}: ${ask.states.join(" > ")}`);
    }
    for (const { id, text, channelId, nonce } of channels.messages.slice(read)) {
      read += 1;
      bodies.set(id, text);
      const sent = guild.db.selectFrom("outbox").select("dedupe_key").where("nonce", "=", nonce);
      const { dedupe_key: sentKey } = await sent.executeTakeFirstOrThrow();
      const ask = asks.find((each) => each.id !== "" && sentKey.includes(each.id));
      if (ask?.row === undefined) continue;
      const { place, isLeft, row } = ask;
      const isCard = channelId === CHANNEL;
      const isDenied = text.includes("cobrança não saiu");
      if (isDenied && postsOf(CHANNEL, cardKey(row)).length > 0) wrong.add("a card is denied");
      if (!isCard && channelId !== directChannel(place.ownerId)) wrong.add("told to another");
      if (isCard && !connections.has(place)) wrong.add("a card of who has left");
      const code = /PIX\d+CODE/.exec(text)?.[0];
      if (code === undefined) continue;
      if (row.state !== "open" && (isCard || !isLeft)) wrong.add(`a code that is ${row.state}`);
      if (row.expiresAt && isPast(row.expiresAt, MINUTE)) wrong.add("a code past its time");
      const isFalse = payments.some(({ by, ...own }) => by === ask && own.code !== code);
      if (isFalse && !(ask.fate === "late" && isTrue(ask, row))) wrong.add("a false code");
    }
  };
  const pass = async (ms: number): Promise<void> => {
    for (let leftMs = ms; ;) {
      const next = await follow(new AbortController().signal);
      await guild.deliver();
      await judge();
      if (leftMs <= 0) return;
      const dueMs = next?.since(clock.now()).total("milliseconds") ?? leftMs;
      const stepMs = Math.max(1_000, Math.min(dueMs, Math.max(MINUTE, ms / 10)));
      clock.moveBy(Math.min(leftMs, stepMs));
      leftMs -= stepMs;
    }
  };
  const connect = async (place: Place): Promise<void> => {
    const { ownerId } = place;
    const key = `sk_${ownerId.slice(-9)}_${ownerId}_${clock.now().epochMilliseconds}`;
    await services.accounts.connect(guilds.connectRequest({ ...place, apiKey: new Secret(key) }));
    connections.set(place, key);
  };
  const leave = async (place: Place): Promise<void> => {
    const { guildId, ownerId } = place;
    await stores.accounts.remove(guildId, ownerId, ownerId, clock.now());
    connections.delete(place);
    if ([...connections.keys()].some((each) => each.ownerId === ownerId)) return;
    for (const ask of asks) if (ask.place.ownerId === ownerId) ask.isLeft = true;
  };
  const request = async (ask: Ask): Promise<void> => {
    const { place, description } = ask;
    const asker = { guildId: place.guildId, channelId: CHANNEL, userId: place.ownerId };
    const locales = { locale: "pt-BR", guildLocale: "pt-BR" } as const;
    const charger = { ...asker, ...locales, interactionId: `i${asks.indexOf(ask)}` };
    const asked = services.charges.create(charger, { amount: cents(7_990), description });
    const told = (await asked.catch(() => undefined))?.charge;
    if (told?.state === "open" && !(await stores.charges.find(told.id))) wrong.add("a promise");
  };
  const act = async ({ kind, which, fate }: Act): Promise<void> => {
    const [place, key] = [...connections][which % connections.size] ?? [];
    const ask = asks[which % asks.length];
    if (kind === "ask" && place) {
      const description = `Plano ${Math.floor(asks.length / 2)} VIP`;
      asks.push({ place, description, fate, states: [], requests: 0, id: "" });
      await request(asks.at(-1)!);
    }
    if (kind === "repeat" && ask && !ask.isLeft) await request(ask);
    for (const each of kind === "pay" ? payments : [])
      if (!isPast(each.expiresAt)) Object.assign(each, { status: "approved" });
    if (kind === "sell" && ask) payments = [...payments, made(ask, payments.length)];
    isAway = kind === "away" || (kind === "mute" && which % 2 > 0);
    mute = kind === "mute" ? MUTES[which % MUTES.length] : undefined;
    if ((kind === "post" || mute) && ask)
      await services.charges
        .publish({ userId: ask.place.ownerId, channelId: CHANNEL }, ask.id)
        .catch(() => {});
    if (kind === "wait" || isAway || mute) await pass((1 + which) * MINUTE);
    mute = undefined;
    // The service may come back after Discord.
    if (isAway) await pass(5 * MINUTE);
    isAway = false;
    if (kind === "lose") isLost = !isLost;
    if (kind === "revoke" && key) revoked.add(key);
    if (kind === "connect") await connect(PLACES[which % PLACES.length]!).catch(() => {});
    if (kind === "leave" && place) await leave(place);
    await guild.delivered();
    await judge();
  };
  for (const guildId of [GUILD, OTHER_GUILD])
    await connect(PLACES.find((each) => each.guildId === guildId && each.ownerId === ANA)!);
  for (const each of plan) await act(each);
  isLost = false;
  await pass(HOUR);
  for (const [place, key] of connections) if (revoked.has(key)) await connect(place);
  await pass(4 * DAY);
  for (const ask of asks) {
    const { id, place, fate, states, requests, isLeft } = ask;
    const toldOf = (about: "end" | "late" | "found"): number =>
      postsOf(directChannel(place.ownerId), chargeNoticeKey({ id }, about)).length;
    const last = states.at(-1) ?? "rejected";
    const kept = await stores.charges.find(id);
    const [card, ...further] = postsOf(CHANNEL, cardKey({ id }));
    if (requests > 1 || further.length > 0) wrong.add("two charges or cards");
    if (["creating", "unknown", "open"].includes(kept?.state ?? "")) wrong.add(`${fate}: no end`);
    const hasEnded = states.includes("expired") || (states.includes("open") && last !== "open");
    const isOwed = hasEnded && !(last === "unfollowed" && isLeft);
    const isLate = states.includes("expired") && (last === "paid" || last === "refunded");
    if (toldOf("late") !== Number(isLate)) wrong.add(`${states.join(" > ")}: late told falsely`);
    if (isOwed && toldOf("end") !== 1) wrong.add(`${states.join(" > ")}: not told once`);
    if (kept?.state === "missing" && !isTrue(ask, kept)) wrong.add(`${fate}: missing, and there`);
    if (last === "missing" && !hasEnded && toldOf("found") !== 1) wrong.add("not told as missing");
    // A card of which the bot could not learn whether it was posted is its seller's to look for.
    const isKnown = card && (kept === undefined || kept.card !== undefined);
    if (isKnown && bodies.get(card.id)?.includes("CODE")) wrong.add("a card asks on for money");
  }
  return [...wrong];
};

test("whatever happens around charges, their sellers and channels read once what is true", async () => {
  const plans = fc.array(acts, { minLength: 8, maxLength: 24 });
  const lives = fc.asyncProperty(plans, async (plan) => {
    expect(await play(plan)).toEqual([]);
  });
  const numRuns = Number(process.env["CHARGE_LIVES"] ?? 20);
  await fc.assert(lives, { numRuns, endOnFailure: true });
});
