import * as fc from "fast-check";
import { expect, test } from "vitest";
import { walletKeyOf } from "#src/accounts/wallet-key.ts";
import { lostRoutes } from "#src/bot-jobs.ts";
import { withLostChannel } from "#src/delivery/lost-channel.job.ts";
import { createDailySalesReport, withReportRoute } from "#src/reports/daily-sales-report.job.ts";
import { keepSalesDays } from "#src/reports/sales-days.service.ts";
import { Secret } from "#src/shared/secret.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { presenceParts } from "../accounts/presence-parts.ts";
import { unauthorized, unavailable } from "../charges/charge-stage.ts";
import { canal } from "../commands/components.ts";
import { quietLog } from "../support/databases.ts";
import { directChannel, type Mishap } from "../support/fake-channels.ts";
import * as guilds from "../support/guild.ts";
import { sold } from "../support/stage.ts";

const { ANA, BRUNO, CARLA } = guilds;
const OWNERS = [ANA, BRUNO];
const HOURS = ["21:05", "22:00", "08:00", "20:30"];
const KINDS =
  "wait wait stop away mute move hour off lose lose join pick pick leave quit revoke".split(" ");
const CHOICES = ["channel", "direct", "off"];
const acts = fc.record({ kind: fc.constantFrom(...KINDS), which: fc.nat(99), how: fc.nat(99) });
const lives = fc.array(acts, { minLength: 6, maxLength: 18 });
type Act = typeof acts extends fc.Arbitrary<infer Each> ? Each : never;
const NEW = { wallet: 0, choice: "off", sinceMs: 0, isHere: true, goneMs: 0, leftMs: 0 };
const UNCLEAR = { kind: "unclear", reason: "504" } as const;
const LOST: Mishap = { outcome: { kind: "lost_channel", code: 50_001 }, made: false };

/** When a day is due at the earliest and at the latest, by hours in Brasília: five minutes after its close, or later. */
const dueOf = (day: string, hours: ReadonlySet<string>) => {
  const waits = [...hours].map((hour) => Date.parse(`1970-01-02T${hour}Z`) - 21 * HOUR);
  const dues = waits.map((ms) => Date.parse(day) + DAY + Math.max(5 * MINUTE, ms % DAY));
  return { first: Math.min(...dues), last: Math.max(...dues) };
};

/** Plays the life of two servers with two sellers each. @returns what was told or left untold against a promise */
const play = async (plan: readonly Act[]): Promise<readonly string[]> => {
  const guild = await guilds.openGuild();
  const { clock, stores, services, channels } = guild;
  const nowMs = () => clock.now().epochMilliseconds;
  const startMs = nowMs();
  const servers = [guilds.GUILD, guilds.OTHER_GUILD].map((guildId, place) => {
    const ids = [0, 1].map((each) => `11800000000000007${place}${each}`);
    return { guildId, ids, channel: ids[0]!, isOn: true, sinceMs: startMs };
  });
  const hours = new Set([HOURS[0]!]);
  const sellers = servers.flatMap((server) =>
    OWNERS.map((ownerId) => ({ server, ownerId, ...NEW, key: undefined as string | undefined })),
  );
  type Seller = (typeof sellers)[number];
  const revoked = new Set<string>();
  const [lost, told, wrong] = [new Set<string>(), new Set<string>(), new Set<string>()];
  /** First loss of each channel since its last post: after a day of tries each hour, the bot tries once a day. */
  const lostMs = new Map<string, number>();
  /** Reasons to tell people of a refused key, or of a lost channel, and how often each was told. */
  const [reasons, notices] = [new Map<string, number>(), new Map<string, number>()];
  /** Keys typed by each person: more than five in an hour are refused. */
  const keys = new Map<string, number>();
  let [isAway, read, calmMs] = [false, 0, startMs];
  let mute: Mishap | undefined;
  const count = (of: Map<string, number>, key: string) => of.set(key, (of.get(key) ?? 0) + 1);
  /** Each wallet account sells another power of two, so that a sum names its parts. */
  const amountOf = (ownerId: string, wallet: number) => 2 ** (OWNERS.indexOf(ownerId) * 2 + wallet);
  guild.wallet.report = async ({ apiKey }, day) => {
    const [, ownerId = "", wallet = ""] = apiKey.reveal().split("_");
    if (isAway) unavailable();
    if (revoked.has(apiKey.reveal())) unauthorized();
    return { ...sold(day, amountOf(ownerId, Number(wallet))), userId: `w-${ownerId}-${wallet}` };
  };
  channels.mishap = (id) => mute ?? (lost.has(id) ? LOST : undefined);
  channels.searchMishap = (id) =>
    mute || lost.has(id) ? { kind: "unreadable", lasting: !mute } : undefined;
  const askPresence = async (guildId: string, userId: string) => {
    const isSuch = (each: Seller) => each.server.guildId + each.ownerId === guildId + userId;
    const its = sellers.find(isSuch);
    return { kind: mute ? "unknown" : its?.isHere ? "here" : "left" } as const;
  };
  const start = () => {
    const common = { ...stores, clock, log: quietLog, days: stores.salesDays };
    const holds = async () => ({ kind: "holds" }) as const;
    const ofLost = withLostChannel({ log: quietLog, routes: lostRoutes(stores) }, holds);
    const presence = presenceParts(guild, askPresence, withReportRoute(common, ofLost));
    guild.judge.revalidate = presence.judge;
    const readReport = keepSalesDays(common, (...asked) => guild.wallet.report(...asked));
    const prefetch = presence.prefetchAt(0, undefined, 1_000);
    const report = createDailySalesReport({
      ...common,
      guildName: async () => "Loja Aurora",
      readReport: ({ account, apiKey }, day) =>
        readReport(walletKeyOf(account, apiKey), day, "background"),
      onReading: () => {},
      onOwed: () => {},
    });
    return async () => {
      for (const job of [prefetch, report, guild.deliver]) await job(AbortSignal.any([]));
    };
  };
  let look = start();

  const judgePart = (channelId: string, ownerId: string, wallet: number, day: string): void => {
    const server = servers.find(({ ids }) => ids.includes(channelId));
    const key = `${server?.guildId} ${ownerId} ${wallet} ${day}`;
    if (told.has(key)) wrong.add("told twice");
    told.add(key);
    const place = server ? server.isOn && server.channel : directChannel(ownerId);
    if (place !== channelId) wrong.add("in a place not chosen");
    const own = sellers.filter((each) => each.ownerId === ownerId);
    const choice = server ? "channel" : "direct";
    const agreed = own.filter((each) => each.choice === choice && each.wallet === wallet);
    const its = agreed.filter((each) => server === undefined || each.server === server);
    if (its.length === 0) wrong.add("in a place not agreed to");
    // A message that waits goes over from one connection to the other.
    const sinceMs = Math.min(...(server ? its : own).map((each) => each.sinceMs));
    if (dueOf(day, hours).last <= Math.max(sinceMs, server?.sinceMs ?? 0))
      wrong.add("a day before the agreement");
    const midnightMs = nowMs() - (nowMs() % DAY);
    const isGone = its.every((each) => !each.isHere && each.leftMs < midnightMs - 2 * HOUR);
    if (server && isGone && !mute) wrong.add("of who has left");
  };
  const judge = async (): Promise<void> => {
    for (const { channelId, text, nonce } of channels.messages.slice(read)) {
      read += 1;
      lostMs.delete(channelId);
      const posted = guild.db.selectFrom("outbox").selectAll().where("nonce", "=", nonce);
      const { day, dedupe_key: key } = await posted.executeTakeFirstOrThrow();
      if (key.startsWith("notice")) count(notices, `${key.split("|")[1]} ${channelId}`);
      const sum = Number(/\*\*R\$.(\d+),00\*\*/.exec(text)?.[1]);
      for (const ownerId of key.startsWith("report") ? OWNERS : [])
        for (const wallet of [0, 1])
          if (sum & amountOf(ownerId, wallet)) judgePart(channelId, ownerId, wallet, day ?? "");
    }
  };
  /** Whether a day is untold that is owed to a seller for certain, for five hours. */
  const isOwed = ({ server, ownerId, wallet, choice, ...seller }: Seller): boolean => {
    const isDirect = choice === "direct";
    if (choice === "off" || (!isDirect && (!server.isOn || !seller.isHere))) return false;
    const its = sellers.filter((each) => each.ownerId === ownerId && each.choice === "direct");
    const since = isDirect
      ? Math.max(...its.map(({ sinceMs }) => sinceMs))
      : Math.max(seller.sinceMs, server.sinceMs, seller.goneMs + 26 * HOUR);
    return Array.from({ length: 9 }, (_, place) => startMs + place * DAY).some((ms) => {
      const day = new Date(ms).toISOString().slice(0, 10);
      const { first, last } = dueOf(day, hours);
      const key = `${isDirect ? undefined : server.guildId} ${ownerId} ${wallet} ${day}`;
      return first > since && last + 5 * HOUR < nowMs() && !told.has(key);
    });
  };
  /** What was to be told by now: after hours without another act. */
  const judgeCalm = (): void => {
    if (isAway || mute || nowMs() - calmMs < 5 * HOUR) return;
    for (const { choice, key = "", ownerId, server } of sellers.filter(isOwed)) {
      const isLost = choice === "channel" && lost.has(server.channel);
      const untold = (about: string, ...people: readonly string[]): boolean =>
        people.some((id) => !notices.has(`${about} ${directChannel(id)}`));
      const isRefused = sellers.some((each) => each.ownerId === ownerId && revoked.has(each.key!));
      const isOff = revoked.has(key);
      if (isLost && !isOff && untold("channel_lost", CARLA, ownerId)) wrong.add("channel untold");
      if (!isLost && isOff && untold("key_refused", ownerId)) wrong.add("refused key untold");
      const wasLostMs = calmMs - (lostMs.get(server.channel) ?? calmMs);
      const isWaiting = isLost || (wasLostMs > DAY && nowMs() - calmMs < 34 * HOUR);
      if (choice === "channel" ? !isWaiting && !isOff : !isRefused)
        wrong.add(`no report: ${choice}`);
    }
  };
  const pass = async (ms: number): Promise<void> => {
    const endMs = nowMs() + ms;
    for (;;) {
      const heard = read;
      await look();
      await judge();
      // The report behind one that waited is written by the next look, a minute later.
      const isCalm = read === heard;
      if (isCalm) judgeCalm();
      for (const seller of sellers) if (!seller.isHere) seller.goneMs = nowMs();
      const dues = [...hours].map((hour) => dueOf("1970-01-01", new Set([hour])).first % DAY);
      const looks = dues.flatMap((due) => [-30, 0, 1, 16].map((by) => due + by * MINUTE));
      const waits = [...looks, 4 * HOUR, 15 * HOUR].map((at) => DAY - ((nowMs() - at) % DAY));
      const waitMs = isCalm ? Math.min(...waits) : MINUTE;
      if (nowMs() + waitMs > endMs) return clock.moveBy(endMs - nowMs());
      clock.moveBy(waitMs);
    }
  };
  const config = ({ guildId }: { readonly guildId: string }, options: guilds.Options) =>
    guild.person(CARLA, { manager: true, guildId }).command("config relatorio", options);
  const act = async ({ kind, which, how }: Act): Promise<void> => {
    clock.moveBy(1_000);
    const seller = sellers[which % sellers.length]!;
    const { ownerId, server, key } = seller;
    const hour = HOURS[how % HOURS.length]!;
    const person = guild.person(ownerId, { guildId: server.guildId });
    isAway = kind === "away";
    mute = kind === "mute" ? { outcome: UNCLEAR, made: how % 2 > 0 } : undefined;
    // Where a channel is lost after an answer, it stays unclear whether the report is in it.
    if (mute) lost.clear();
    if (kind === "wait" || isAway || mute) await pass((1 + (how % 50)) * 30 * MINUTE);
    [isAway, mute] = [false, undefined];
    if (kind !== "wait") calmMs = nowMs();
    if (kind === "mute") await pass(HOUR);
    if (kind === "stop") clock.moveBy((how % 50) * 30 * MINUTE);
    if (kind === "stop") look = start();
    if (kind === "move") server.channel = server.ids[how % 2]!;
    if (kind === "move") await config(server, canal(server.channel));
    if (kind === "hour") hours.add(hour);
    if (kind === "hour") await config(server, { string: { horario: hour } });
    if (kind === "off") [server.isOn, server.sinceMs] = [!server.isOn, nowMs()];
    if (kind === "off") await config(server, { boolean: { ativo: server.isOn } });
    if (kind === "lose" && !lost.delete(server.channel)) {
      lost.add(server.channel);
      lostMs.getOrInsert(server.channel, nowMs());
    }
    if (["lose", "move", "off"].includes(kind)) count(reasons, "channel_lost");
    if (kind === "join" && seller.isHere && (keys.get(ownerId) ?? 0) < 5) {
      count(keys, ownerId);
      const wallet = how % 4 === 0 ? 1 : 0;
      const typed = `sk_${ownerId}_${wallet}_${keys.get(ownerId)}`;
      const request = { guildId: server.guildId, ownerId, apiKey: new Secret(typed) };
      await services.accounts.connect(guilds.connectRequest(request));
      if (!key || seller.wallet !== wallet) seller.choice = "off";
      [seller.key, seller.wallet] = [typed, wallet];
    }
    if (kind === "pick" && key && seller.isHere) {
      const choice = CHOICES[how % CHOICES.length]!;
      await person.act(`conta:relatorio:${ownerId}`, { values: [choice] });
      if (seller.choice !== choice) [seller.choice, seller.sinceMs] = [choice, nowMs()];
    }
    if (kind === "quit") {
      await stores.accounts.remove(server.guildId, ownerId, ownerId, clock.now());
      [seller.key, seller.choice] = [undefined, "off"];
    }
    if (kind === "leave") [seller.isHere, seller.goneMs] = [!seller.isHere, nowMs()];
    if (kind === "leave") seller.leftMs = nowMs();
    if (kind === "revoke" && key && revoked.delete(key)) await person.command("vendas");
    else if (kind === "revoke" && key) revoked.add(key);
    if (kind === "revoke") count(reasons, "key_refused");
    if (kind !== "wait") calmMs = nowMs();
    await guild.delivered();
    await judge();
  };
  for (const server of servers) await config(server, canal(server.channel));
  for (const [which, how] of [0, 0, 1, 1].entries())
    for (const kind of ["join", "pick"]) await act({ kind, which, how: 3 + how });
  for (const each of plan) if (nowMs() < startMs + 4 * DAY) await act(each);
  lost.clear();
  for (const { key, ownerId, server } of sellers)
    if (key && revoked.delete(key))
      await guild.person(ownerId, { guildId: server.guildId }).command("vendas");
  calmMs = Infinity;
  await pass(34 * HOUR);
  calmMs = 0;
  await pass(HOUR);
  for (const [key, times] of notices)
    if (times > (reasons.get(key.split(" ")[0]!) ?? Infinity)) wrong.add(`told too often: ${key}`);
  return [...wrong];
};

test("each closed day of who agreed is reported once, in the place that was chosen", async () => {
  const judged = async (life: readonly Act[]): Promise<void> => {
    expect(await play(life)).toEqual([]);
  };
  const numRuns = Number(process.env["REPORT_LIVES"] ?? 10);
  await fc.assert(fc.asyncProperty(lives, judged), { numRuns, endOnFailure: true });
});
