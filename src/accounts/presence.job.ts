import { setImmediate } from "node:timers/promises";
import type { Account, PresenceAnswer } from "./account.ts";
import type { Presences } from "./presences.store.ts";
import {
  type ClaimedDelivery,
  isRouteOpen,
  loggedDelivery,
  type NewDelivery,
} from "../delivery/delivery.ts";
import { deliveryPolicies } from "../delivery/delivery-policies.ts";
import { openReportDay } from "../shared/report-day.ts";
import { type Clock, HOUR, MINUTE, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import type { AccountsStore } from "./accounts.store.ts";
import type { Revalidate, Verdict } from "../delivery/deliver.job.ts";
import type { DeliveryHour, hoursComing } from "../reports/report-schedule.ts";
import type { DailyReport } from "../reports/daily-report.ts";
import type { Closes } from "../closes/closes.store.ts";
import type { ReportLedger } from "../reports/report-ledger.store.ts";
import type { ReportRoutesStore } from "../reports/report-routes.store.ts";
import type { SaleRoutes } from "../sale-notices/sale-routes.store.ts";
import { createSpacing, createWorkers } from "../shared/concurrency.ts";
import { leftServer } from "./account-notices.job.ts";

interface PresenceNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly accounts: Pick<AccountsStore, "findById" | "ofWatch">;
  readonly routes: Pick<ReportRoutesStore, "find">;
  readonly presences: Presences;
  /** Hands a seller's unsent posts to others who owe them as well. Gives the keys of those. */
  readonly handOver: (account: Account) => Promise<readonly string[]>;
  readonly saleRoutes: Pick<SaleRoutes, "choiceOf" | "find">;
  readonly ledger: Pick<ReportLedger, "leaveOut">;
  readonly closes: Pick<Closes, "makeAgain">;
  /** Never rejects. */
  readonly askPresence: (guildId: string, userId: string) => Promise<PresenceAnswer>;
  /** Never rejects. Undefined when Discord does not tell the name. */
  readonly guildName: (guildId: string) => Promise<string | undefined>;
  /** Called after a notice was enqueued. */
  readonly onOwed: () => void;
}

/** How long an answer holds across the end of a day. */
const HOLDS_MS = 2 * HOUR;
/** How often a post waits for Discord or the database, in vain, before it goes out as if the seller were there. */
const MOST_TURNS_AWAITED = 8;
/** How long one attempt asks about the sellers of a report: a third of a lease, of one of the places for posts. */
const ASKING_MS = 20 * SECOND;
/** Discord answers about the members of one server one after the other; meanwhile our database keeps the answers. */
const ASKED_TOGETHER = 4;
/** After so many questions without an answer the others of an attempt would have none either. */
const MOST_UNANSWERED = 20;

/**
 * Asks whether a seller is still in the server, once in a UTC day. With `until`, an answer has to hold until then: an
 * answer of an earlier day is asked again, and the new one holds for two hours even if a day ends in between.
 */
type MemberLookup = (
  account: Account,
  until?: Temporal.Instant,
) => Promise<{
  readonly answer: PresenceAnswer;
  readonly hasLeft: boolean;
  /** Discord was asked, and its answer is kept. */
  readonly isNew: boolean;
}>;

/** Sends a notice to a seller who has left; it is enqueued in the transaction that stores the answer. */
export const createMemberLookup = (
  needs: Omit<PresenceNeeds, "accounts" | "closes" | "handOver" | "ledger" | "log"> & {
    readonly accounts: Pick<AccountsStore, "ofOwner">;
  },
): MemberLookup => {
  const { clock, accounts, routes, saleRoutes, presences, askPresence, guildName, onOwed } = needs;

  const noticeFor = async (account: Account, now: Temporal.Instant): Promise<NewDelivery> => {
    const { id, guildId, reportConsent } = account;
    const route = await routes.find(guildId);
    const locale = account.locale ?? route?.locale ?? "pt-BR";
    const owned = await accounts.ofOwner(account.ownerId);
    const goesToSales = (await saleRoutes.choiceOf(id)) === "channel";
    const facts = {
      // Posts that did not come out before the absence do not come back with its end.
      dailyReport: reportConsent && isRouteOpen(route),
      saleNotices: goesToSales && isRouteOpen(await saleRoutes.find(guildId)),
      guildName: await guildName(guildId),
      locale,
    };
    return leftServer(account, owned, facts, now);
  };

  /** When Discord last confirmed each seller's presence, oldest first. */
  const heardMs = new Map<string, number>();
  const heardLately = (accountId: string, now: Temporal.Instant): boolean =>
    Math.abs(now.epochMilliseconds - (heardMs.get(accountId) ?? -Infinity)) <= HOLDS_MS;
  const remember = (accountId: string, now: Temporal.Instant): void => {
    for (const known of heardMs.keys()) {
      if (heardLately(known, now)) break;
      heardMs.delete(known);
    }
    heardMs.delete(accountId);
    heardMs.set(accountId, now.epochMilliseconds);
  };

  return async (account, until) => {
    const { guildId, ownerId } = account;
    const known = await presences.find(guildId, ownerId);
    const before = known?.leftAt !== undefined;
    const now = clock.now();
    // An answer dated in the future was stored before the clock was set back.
    const isOfDay =
      known !== undefined &&
      Temporal.PlainDate.compare(known.askedOn, openReportDay(until ?? now)) >= 0 &&
      Temporal.PlainDate.compare(known.askedOn, openReportDay(now)) <= 0;
    // A seller who left may have come back by a new day.
    if (isOfDay || (known !== undefined && !before && heardLately(account.id, now))) {
      return { answer: { kind: before ? "left" : "here" }, hasLeft: before, isNew: false };
    }
    const answer = await askPresence(guildId, ownerId);
    if (answer.kind !== "here" && answer.kind !== "left")
      return { answer, hasLeft: before, isNew: false };
    const hasLeft = answer.kind === "left";
    const notice = hasLeft && !before ? await noticeFor(account, now) : undefined;
    await presences.keep(guildId, ownerId, answer.kind, now, notice);
    if (!hasLeft) remember(account.id, now);
    if (notice !== undefined) onOwed();
    return { answer, hasLeft, isNew: true };
  };
};

/**
 * Keeps a seller's figures out of the channels of a server that the seller has left: a report is not posted, a close is
 * made again, an alert goes to its owner or to another server's channel, and a notice of a sale is another seller's where
 * one owes it as well.
 * Discord is asked once in a UTC day for each member and guild. While Discord does not answer, its last answer holds;
 * without an earlier answer the post goes out, because its owner agreed to it and an outage does not revoke that. While
 * our own database does not answer, or Discord to none of many questions about one server, the post waits, a minute each
 * time and at most eight times; where the bot is outside of the server it does not wait, as its channel is lost.
 */
export const withPresence = (
  needs: Pick<
    PresenceNeeds,
    "accounts" | "clock" | "closes" | "handOver" | "ledger" | "log" | "presences"
  >,
  lookUpMember: MemberLookup,
  revalidate: Revalidate,
): Revalidate => {
  const { clock, log, accounts, closes, handOver, ledger, presences } = needs;

  const waits = (ms: number, isUncounted = false): Verdict => ({
    kind: "waits",
    until: clock.now().add({ milliseconds: ms }),
    ...(isUncounted && { isUncounted: true }),
  });

  /** The verdict where the owner is there, or Discord cannot be asked yet; undefined: the owner has left. */
  const decideIfThere = async (
    account: Account,
    attempts: number,
  ): Promise<Verdict | undefined> => {
    const { answer, hasLeft } = await lookUpMember(account);
    if (answer.kind === "limited" && attempts <= MOST_TURNS_AWAITED)
      return waits(Math.min(answer.retryAfterMs, MINUTE));
    return hasLeft ? undefined : { kind: "holds" };
  };

  /**
   * An alert goes by the connection that receives those of its wallet account, and once its owner has left that server by
   * the next one, whose place the alert's own judge knows. Who has left them all is told directly.
   */
  const decideForAlert = async (attempts: number, { watchId }: Account): Promise<Verdict> => {
    let absent: Account | undefined;
    for (;;) {
      const receiver = (await accounts.ofWatch(watchId))?.told;
      if (receiver === undefined) return { kind: "holds" };
      const { id, ownerId } = receiver;
      if (id === absent?.id) return { kind: "moved", target: { kind: "person", userId: ownerId } };
      const verdict = await decideIfThere(receiver, attempts);
      if (verdict !== undefined) return verdict;
      absent = receiver;
    }
  };

  const decide = async (
    { kind, attempts, dedupeKey }: Pick<ClaimedDelivery, "attempts" | "dedupeKey" | "kind">,
    accountId: string,
  ): Promise<Verdict> => {
    const account = await accounts.findById(accountId);
    if (account === undefined) return { kind: "holds" };
    if (deliveryPolicies[kind].ownerLeft === "redirect")
      return await decideForAlert(attempts, account);
    const verdict = await decideIfThere(account, attempts);
    if (verdict !== undefined) return verdict;
    return (await handOver(account)).includes(dedupeKey)
      ? waits(0)
      : { kind: "untrue", unsent: undefined };
  };

  /**
   * Which sellers of a server's report or close have left: the others' figures go out without theirs. Asking about
   * thousands takes minutes, so an attempt gives its place back, and the next one goes on from the kept answers.
   */
  const decideForSellers = async (
    { attempts }: Pick<ClaimedDelivery, "attempts">,
    ids: readonly string[],
  ): Promise<Verdict> => {
    const absent: string[] = [];
    const begunAt = clock.now();
    // One question for all: most are known to be there by the time of the post.
    const here = await presences.agreedAndHere(ids, openReportDay(begunAt));
    const unjudged = new Set(ids.filter((id) => !here.has(id)));
    let answered = 0;
    let unanswered = 0;
    /** Set once this attempt asks no more. */
    let pauseMs: number | undefined;
    /** The bot is: further answers would be refusals, of which many stop all posts, and the post is refused as well. */
    let isOutside = false;
    const mayWait = (): boolean => !isOutside && (answered > 0 || attempts <= MOST_TURNS_AWAITED);

    const ask = async (account: Account): ReturnType<MemberLookup> => {
      const asked = await lookUpMember(account);
      const { answer, isNew } = asked;
      if (isNew) answered++;
      if (answer.kind === "unknown") {
        unanswered++;
        // A pause that has begun leaves sellers to the next attempt.
        isOutside ||= answer.isBotOutside === true && pauseMs === undefined;
        if (isOutside) pauseMs ??= 0;
      }
      if (answer.kind === "limited") pauseMs ??= Math.min(answer.retryAfterMs, MINUTE);
      if (unanswered >= MOST_UNANSWERED) pauseMs ??= MINUTE;
      const askingMs = clock.now().since(begunAt).total("milliseconds");
      // Also after the clock was set back.
      if (Math.abs(askingMs) >= ASKING_MS) pauseMs ??= SECOND;
      return asked;
    };
    const judge = async (accountId: string): Promise<void> => {
      const isPaused = pauseMs !== undefined;
      if (isPaused && mayWait()) return;
      // SQLite's answers leave no turn to the event loop.
      await setImmediate();
      const account = await accounts.findById(accountId);
      // Since the claim the seller may have disconnected, or taken the consent back.
      const isIn = account?.reportConsent === true;
      const asked = isIn && !isPaused ? await ask(account) : undefined;
      if (!isIn || (asked?.hasLeft ?? (await presences.hasLeft(account)))) absent.push(accountId);
      if (asked?.answer.kind !== "limited") unjudged.delete(accountId);
    };
    await createWorkers(ASKED_TOGETHER)(unjudged, judge);
    return pauseMs !== undefined && unjudged.size > 0 && mayWait()
      ? waits(pauseMs, answered > 0)
      : { kind: "holds", absent };
  };

  const leaveOut = async (accountIds: readonly string[], { day }: DailyReport): Promise<void> => {
    if (accountIds.length > 0) await ledger.leaveOut(accountIds, Temporal.PlainDate.from(day));
  };

  return async (claim) => {
    const { accountId, attempts, kind, target, payload } = claim;
    const isPublic = target.kind === "channel" && deliveryPolicies[kind].ownerLeft !== "post";
    const { report, sellers = report && namedIn(report) } = payload;
    if (!isPublic || (accountId === null && sellers === undefined)) return await revalidate(claim);
    let absent: readonly string[] = [];
    try {
      const own = accountId === null ? undefined : await decide(claim, accountId);
      if (own?.kind === "untrue" && report && accountId) await leaveOut([accountId], report);
      if (own !== undefined && own.kind !== "holds") return own;
      const others = sellers && (await decideForSellers(claim, sellers));
      if (others !== undefined && others.kind !== "holds") return others;
      absent = others?.absent ?? [];
      if (report) await leaveOut(absent, report);
      else if (absent.length > 0) {
        await closes.makeAgain(claim);
        return { kind: "untrue", unsent: undefined };
      }
    } catch (error) {
      log.error(
        { ...loggedDelivery(claim), err: error },
        "whether its owner is there is not known",
      );
      if (attempts <= MOST_TURNS_AWAITED) return waits(MINUTE);
    }
    const verdict = await revalidate(claim);
    return verdict.kind === "holds" && absent.length > 0 ? { ...verdict, absent } : verdict;
  };
};

/** A report names those too whose figures it lacks. */
const namedIn = ({ sellers, missing }: DailyReport): readonly string[] =>
  [...sellers, ...missing].map(({ accountId }) => accountId);

interface PresencePrefetchNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledger: Pick<ReportLedger, "guildsAt" | "hours" | "unheard">;
  readonly hoursComing: typeof hoursComing;
  readonly lookUpMember: MemberLookup;
  /** Remembers the names that it is told. */
  readonly guildName: PresenceNeeds["guildName"];
  /** Part of Discord's limits that this process uses. */
  readonly share?: number | undefined;
  /** Place in the list of servers, from 0 to 1, at which this process begins: at one place two would ask the same. */
  readonly place?: number | undefined;
}

/** Less than an hour: the posts of the hour before go out first. */
const AHEAD_MS = 50 * MINUTE;
/** Of all processes: less than half of Discord's limit, so that posts go on; one looks up 60,000 sellers in 50 minutes. */
const PER_MINUTE = 1_200;
/** With the smallest share: turns of fewer would not be spaced at all. */
const LEAST_PER_MINUTE = 100;
const CONCURRENCY = 8;
const PAGE = 100;

/**
 * Looks up the names of the servers with a report due within `AHEAD_MS`, and the presence of their sellers. One seller's
 * failure never rejects the run.
 * Leaves Discord's 50 requests a second to posts when the hour comes: a run ends then, and the next one goes on with the
 * other hours. Each delivery hour is prefetched once; sellers without an answer are looked up before their post. Once
 * Discord says that the bot is outside of a server, its other sellers are not asked about: each answer would be a refusal,
 * and too many of them stop all posts.
 */
export const createPresencePrefetch = ({
  clock,
  log,
  ledger,
  hoursComing: comingOf,
  lookUpMember,
  guildName,
  share = 1,
  place = 0,
}: PresencePrefetchNeeds) => {
  let asked: ReadonlySet<string> = new Set();

  return async (stopping: AbortSignal): Promise<void> => {
    const now = clock.now();
    const coming = comingOf(await ledger.hours(), now, AHEAD_MS);
    const hours = coming.filter((hour) => !asked.has(nameOf(hour)));
    const until = now.add({ milliseconds: AHEAD_MS });
    const turns = createSpacing(clock, Math.max(LEAST_PER_MINUTE, PER_MINUTE * share));
    const come = new AbortController();
    const ending = AbortSignal.any([stopping, come.signal]);
    /** False once the run ends. */
    const mayAsk = async (): Promise<boolean> => {
      await turns.turn(ending);
      if (comingOf(coming, clock.now(), AHEAD_MS).length < coming.length) come.abort();
      return !ending.aborted;
    };
    const outside = new Set<string>();
    const ask = async (account: Parameters<MemberLookup>[0]): Promise<void> => {
      const { guildId } = account;
      try {
        if (outside.has(guildId) || !(await mayAsk()) || outside.has(guildId)) return;
        const { answer } = await lookUpMember(account, until);
        if (answer.kind === "unknown" && answer.isBotOutside === true) outside.add(guildId);
      } catch (error) {
        log.error({ accountId: account.id, err: error }, "where a seller is cannot be asked");
      }
    };
    const askName = async (guildId: string): Promise<void> => {
      if (await mayAsk()) await guildName(guildId);
    };
    const due = hours.length === 0 ? [] : await ledger.guildsAt(hours);
    const first = Math.floor(due.length * place);
    const guilds = [...due.slice(first), ...due.slice(0, first)];
    await createWorkers(CONCURRENCY)(guilds, askName, ending);
    const sellers = async function* () {
      for (const guildId of guilds)
        for (let after: string | undefined = ""; after !== undefined;) {
          // SQLite's answers leave no turn to the event loop.
          await setImmediate();
          const page = await ledger.unheard(guildId, openReportDay(until), after, PAGE);
          yield* page;
          const isLast = page.length < PAGE || outside.has(guildId);
          after = isLast ? undefined : page.at(-1)?.id;
        }
    };
    await createWorkers(CONCURRENCY)(sellers(), ask, ending);
    if (!ending.aborted) asked = new Set(coming.map(nameOf));
  };
};

const nameOf = ({ time, timeZone }: DeliveryHour): string => `${time.toString()} ${timeZone}`;
