import fc from "fast-check";
import { expect, test } from "vitest";
import type { DestinationChoice } from "#src/accounts/account.ts";
import type { DeliveryPayload } from "#src/delivery/delivery.ts";
import { type AlertStep, isAwaiting, isUndecided, leftMs } from "#src/disputes/dispute-alert.ts";
import type { Dispute } from "#src/disputes/dispute.ts";
import { Secret } from "#src/shared/secret.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { ANA, BRUNO, CARLA, GUILD, savedAccount, TABLES } from "../database/builders.ts";
import type { Standing } from "../simulate/disputes/truth.ts";
import { holds, stepNow } from "../simulate/disputes/rules.ts";
import { stepTitle } from "../support/alert-title.ts";
import { oneDatabase } from "../support/databases.ts";
import { directChannel } from "../support/fake-channels.ts";
import { asRoute } from "../support/samples.ts";
import { keepEnqueued } from "../delivery/enqueued-texts.ts";
import { chosenAlertRoute } from "./dispute-builders.ts";
import { type DisputeStage, TITLE, useDisputeStage } from "./dispute-stage.ts";

const GUILDS = [GUILD, "900000000000000002"] as const;
const OWNERS = [ANA, BRUNO] as const;
const roomOf = (guildId: string, room: number): string => `91${guildId.slice(2)}${room}`;
const keyOf = (ownerId: string): string => `sk_sandbox_${ownerId}`;

const guild = fc.constantFrom(...GUILDS);
const owner = fc.constantFrom(...OWNERS);
const does = <Kind extends string, Facts>(kind: Kind, facts: Facts) => ({
  kind: fc.constant(kind),
  ...facts,
});
const isOn = fc.constantFrom(true, true, false);
const choice = fc.constantFrom<DestinationChoice>("channel", "channel", "direct", "off");
const turns = fc.constantFrom<Pick<Dispute, "status" | "analysisStatus">>(
  { status: "disagreed", analysisStatus: "pending" },
  { status: "pending", analysisStatus: "pending" },
  { status: "agreed", analysisStatus: "accepted" },
  { status: "disagreed", analysisStatus: "rejected" },
  { status: "canceled", analysisStatus: "pending" },
);
/** The service or Discord is down, a channel is lost, a reader or a key refused, or a seller away from a server. */
const troubles = ["wallet", "discord"].concat(
  OWNERS.flatMap((each) => [directChannel(each), keyOf(each)]),
  GUILDS.flatMap((each) => [roomOf(each, 1), roomOf(each, 2)]),
  GUILDS.flatMap((each) => OWNERS.map((person) => `${each} ${person}`)),
);
const act = fc.oneof(
  fc.record(does("open", { hours: fc.constantFrom(0.6, 3, 20, 50, 200) })),
  fc.record(does("wait", { minutes: fc.constantFrom(1, 8, 20, 200, 1_500) })),
  fc.record(does("turn", { which: fc.nat(4), to: turns })),
  fc.record(does("silence", { which: fc.nat(4), owner })),
  fc.record(does("choose", { guild, owner, choice })),
  fc.record(does("route", { guild, room: fc.constantFrom(1, 2), isOn })),
  fc.record(does("connect", { guild, owner })),
  fc.record(does("trouble", { of: fc.constantFrom(...troubles), isOn })),
  fc.record(does("stop", { minutes: fc.constantFrom(4, 200) })),
);
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

/** Both sellers have chosen the channels of both servers. */
const BEGINNING: readonly Act[] = GUILDS.flatMap((guild): readonly Act[] => [
  { kind: "route", guild, room: 1, isOn: true },
  ...OWNERS.map((owner) => ({ kind: "connect" as const, guild, owner })),
  ...OWNERS.map((owner) => ({ kind: "choose" as const, guild, owner, choice: "channel" as const })),
]);

/** Lives through the acts beside a model of what is true. Gives the promises that were broken. */
const live = async (stage: DisputeStage, plan: readonly Act[]): Promise<readonly string[]> => {
  const { stores, service, channels, clock } = stage;
  const { accounts, alertRoutes, presences } = stores;
  const broken: string[] = [];
  const told: { who: string; id: string; step: AlertStep; place: string }[] = [];
  /** Owners, and channels that they chose when they knew them. */
  const known = new Set<string>();
  /** Owners and disputes with an answer that was reported, and since when. */
  const muted = new Map<string, number>();
  const turned = new Map<string, number>();
  const under = new Set<string>();
  const enqueued = await keepEnqueued(stage.db);
  const nowMs = (): number => clock.now().epochMilliseconds;
  const standing = ({ status, analysisStatus, dueAt }: Dispute) =>
    ({ status, analysis: analysisStatus, dueMs: dueAt.epochMilliseconds }) as Standing;
  const stepOf = (dispute: Dispute) => stepNow(standing(dispute), nowMs());
  const openRoom = async (guildId: string): Promise<string | undefined> => {
    const route = await alertRoutes.find(guildId);
    return route?.active === true && route.suspendedAt === undefined ? route.channelId : undefined;
  };
  /** The channels that the owner has chosen, and else the direct messages. */
  const placesOf = async (who: string): Promise<readonly string[]> => {
    const rooms: string[] = [];
    for (const { guildId, alerts } of await accounts.ofOwner(who)) {
      const isLeft = (await presences.find(guildId, who))?.leftAt !== undefined;
      const open = alerts === "channel" && !isLeft ? await openRoom(guildId) : undefined;
      if (open !== undefined) rooms.push(open);
    }
    return rooms.length > 0 ? rooms : [directChannel(who)];
  };
  const knows = async (who: string, room: string): Promise<boolean> => {
    const notices = (await enqueued()).filter(({ target }) => target === who);
    const isTold = notices.some(({ payload }) => payload.includes(`saem em <#${room}>`));
    return isTold || known.has(`${who} ${room}`);
  };
  const judge = async (place: string, { embeds, pings }: DeliveryPayload) => {
    const text = JSON.stringify(embeds);
    const direct = [...OWNERS, CARLA].find((each) => directChannel(each) === place);
    const who = direct ?? pings?.userId ?? "";
    const named = Object.entries(TITLE).find(
      ([, each]) => each === stepTitle(embeds?.[0]?.title ?? ""),
    )?.[0];
    if (named === undefined) return;
    const step = named === "conceded" ? "answered" : (named as AlertStep);
    const dispute = service.there.get(/inf-\d+/.exec(text)?.[0] ?? "")!;
    const { infractionId: id, dueAt } = dispute;
    const blame = (why: string): void => void broken.push(`${step} of ${id} in ${place}: ${why}`);
    const own = await accounts.ofOwner(who);
    if (own.every(({ alerts }) => alerts === "off")) blame("they are off");
    if (direct === undefined && !(await placesOf(who)).includes(place)) blame("without consent");
    if (direct === undefined && !(await knows(who, place))) blame("its owner was not told where");
    const all = await accounts.connectionsOf(own[0]?.accountFp ?? "");
    const isPaused = own.every(({ pausedAt }) => pausedAt !== undefined);
    if (isPaused && all.some(({ pausedAt }) => pausedAt === undefined)) blame("the key is refused");
    if (!under.has("wallet") && !under.has(keyOf(who)) && !isPaused) {
      if (!holds(step, standing(dispute), nowMs())) blame("it is not true");
      if (isUndecided(step) && !text.includes(`<t:${dueAt.epochMilliseconds / 1_000}:`))
        blame("another deadline");
    }
    const mutedMs = muted.get(`${who} ${id}`) ?? Infinity;
    const isWaived = leftMs(dueAt, clock.now()) <= 6 * HOUR && nowMs() - mutedMs >= 15 * MINUTE;
    if (isAwaiting(step) && mutedMs < Infinity && !isWaived) blame("it is silenced");
    const before = told.filter((each) => each.who === who && each.id === id && each.step === step);
    const most = isUndecided(step) ? 1 : (turned.get(`${id} ${step}`) ?? 0);
    const isRetold = step === "6h" && muted.has(`${who} ${id}`);
    if (before.length >= most && !isRetold) blame("once more");
    told.push({ who, id, step, place });
  };
  const { post } = channels;
  channels.post = async (place, body, inTime) => {
    const outcome = await post(place, body, inTime);
    if (["posted", "unreachable_person"].includes(outcome.kind)) await judge(place, body);
    return outcome;
  };
  const throttled = { kind: "throttled", retryAfterMs: 20_000 } as const;
  const refused = { kind: "unreachable_person", code: 50_007 } as const;
  const gone = { kind: "lost_channel", code: 10_003 } as const;
  channels.mishap = (place) => {
    if (under.has("discord")) return { outcome: throttled, made: false };
    if (!under.has(place)) return undefined;
    return { outcome: place.startsWith("dm-") ? refused : gone, made: false };
  };
  service.failing = () => (under.has("wallet") ? "unavailable" : undefined);
  service.refuses = (apiKey) => !under.has("wallet") && under.has(apiKey);
  stage.members.ask = (...member) => ({ kind: under.has(member.join(" ")) ? "left" : "here" });
  const pass = (minutes: number, steps = 5): Promise<void> =>
    stage.pass({ minutes }, { minutes: Math.max(1, Math.ceil(minutes / steps)) });
  const perform = async (one: Act): Promise<void> => {
    const now = clock.now();
    const dispute = "which" in one ? [...service.there.values()][one.which] : undefined;
    switch (one.kind) {
      case "open":
        return void service.add(`inf-${service.there.size}`, one.hours);
      case "wait":
        return await pass(one.minutes);
      case "stop":
        return stage.skip({ minutes: one.minutes });
      case "turn": {
        if (dispute === undefined || dispute.analysisStatus !== "pending") return;
        service.change(dispute.infractionId, one.to);
        const step = stepOf({ ...dispute, ...one.to });
        const key = `${dispute.infractionId} ${step}`;
        turned.set(key, (turned.get(key) ?? 0) + 1);
        if (one.to.status === "pending") return;
        for (const who of OWNERS) muted.delete(`${who} ${dispute.infractionId}`);
        return;
      }
      case "silence": {
        const [account] = await accounts.ofOwner(one.owner);
        if (dispute === undefined || account === undefined) return;
        const { infractionId, status } = dispute;
        const asker = { ...account, userId: one.owner, locale: "pt-BR" } as const;
        const made = await stage.reminders
          .mute(asker, { ...account, infractionId })
          .catch(() => {});
        if (made?.kind === "muted" && status === "pending")
          muted.set(`${one.owner} ${infractionId}`, nowMs());
        return;
      }
      case "choose":
        await accounts.setAlerts(one.guild, one.owner, one.choice, now, undefined);
        if (one.choice === "channel") known.add(`${one.owner} ${await openRoom(one.guild)}`);
        return;
      case "route": {
        const { guild: guildId, isOn: active } = one;
        const given = { guildId, channelId: roomOf(guildId, one.room), active, quiet: undefined };
        const route = chosenAlertRoute({ ...given, liftsSuspension: true });
        return void (await stage.chosen.alertRoutes.save(...asRoute(route), now));
      }
      case "connect": {
        const { guild: guildId, owner: ownerId } = one;
        const account = savedAccount({ guildId, ownerId, connectedBy: ownerId, connectedAt: now });
        const key = keyOf(ownerId);
        if (!under.has(key)) await accounts.save(account, new Secret(key), ANA);
        return;
      }
      case "trouble":
        if (one.isOn) under.add(one.of);
        else under.delete(one.of);
    }
  };
  for (const one of BEGINNING) await perform(one);
  for (const one of plan) {
    await perform(one);
    await pass(1);
  }
  for (const of of ["wallet", "discord", ...OWNERS.map(directChannel)]) under.delete(of);
  await pass(130, 13);
  const end = service.add("inf-999", 100);
  for (const each of GUILDS) for (const room of [1, 2]) under.delete(roomOf(each, room));
  await pass(20, 5);
  for (const who of OWNERS) {
    const own = await accounts.ofOwner(who);
    const isRead = own.some(({ pausedAt }) => pausedAt === undefined) && !under.has(keyOf(who));
    if (!isRead || own.every(({ alerts }) => alerts === "off")) continue;
    const mine = told.filter((each) => each.who === who);
    for (const [id, dispute] of service.there) {
      const last = mine.findLast((each) => each.id === id)?.step;
      const step = stepOf(dispute);
      const isSettled = step !== undefined && !isAwaiting(step);
      if (isSettled && last !== undefined && last !== step)
        broken.push(`${step} of ${id} was not told to ${who}, but ${last}`);
    }
    const places = await placesOf(who);
    const came = mine.filter(({ id }) => id === end.infractionId).map(({ place }) => place);
    if (came.length !== 1 || !places.includes(came[0] ?? ""))
      broken.push(`what came at last is told in ${came.join()}, and not in ${places.join()}`);
  }
  return broken;
};

const open = useDisputeStage(oneDatabase[0]!);
test("alerts come once, as each MED stands, to the places that their owners chose and know", async () => {
  const plans = fc.array(act, { minLength: 4, maxLength: 24 });
  const property = fc.asyncProperty(plans, async (plan) => {
    const stage = await open();
    try {
      expect(await live(stage, plan)).toEqual([]);
    } finally {
      for (const table of TABLES) await stage.db.deleteFrom(table).execute();
    }
  });
  const numRuns = Number(process.env["ALERT_LIVES"] ?? 30);
  await fc.assert(property, { numRuns });
});
