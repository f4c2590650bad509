import type { NewDelivery } from "#src/domain/delivery.ts";
import type { WatchedDispute } from "#src/domain/dispute-alert.ts";
import type { DisputeWatch, DuePoll } from "#src/domain/dispute-stores.ts";
import { NONE_UNLISTED } from "#src/domain/dispute-list.ts";
import type { MemoryBook } from "./memory-book.ts";

const isAwaiting = ({ status, analysisStatus, closedAt }: WatchedDispute): boolean =>
  closedAt === undefined && status === "pending" && analysisStatus === "pending";

const byDeadline = (one: WatchedDispute, other: WatchedDispute): number =>
  one.dueAt.epochMilliseconds - other.dueAt.epochMilliseconds ||
  (one.infractionId < other.infractionId ? -1 : Number(one.infractionId > other.infractionId));

/**
 * Disputes and polls as the real store keeps them: each change is atomic and applies only to the state that was read.
 */
export const memoryWatch = (book: () => MemoryBook): DisputeWatch => {
  const isWanted = (accountId: string, deliveries: readonly NewDelivery[]): boolean => {
    const account = book().accounts.get(accountId);
    if (account === undefined) return false;
    return deliveries.every(({ kind, target }) => {
      if (kind !== "dispute_alert") return true;
      if (account.alerts === "off") return false;
      if (target.kind === "person") return true;
      const route = book().routes.get(account.guildId);
      const isOpen = route?.active === true && route.suspendedAt === undefined;
      return account.alerts === "channel" && isOpen && route.channelId === target.channelId;
    });
  };
  const commit = (
    dispute: WatchedDispute,
    deliveries: readonly NewDelivery[],
    at: Temporal.Instant,
  ): WatchedDispute => {
    const { watched, outbox } = book();
    const { accountId, infractionId } = dispute;
    const own = watched.get(accountId) ?? new Map<string, WatchedDispute>();
    if (!own.has(infractionId)) places.set(`${accountId} ${infractionId}`, places.size);
    watched.set(accountId, own.set(infractionId, dispute));
    for (const delivery of deliveries) outbox.enqueue(delivery, at);
    return dispute;
  };
  const places = new Map<string, number>();
  const placeOf = ({ accountId, infractionId }: WatchedDispute): number =>
    places.get(`${accountId} ${infractionId}`) ?? 0;
  const find = (accountId: string, infractionId: string): WatchedDispute | undefined =>
    book().watched.get(accountId)?.get(infractionId);
  const of = (accountId: string): readonly WatchedDispute[] =>
    [...(book().watched.get(accountId)?.values() ?? [])].toSorted(byDeadline);

  const asked = (): readonly DuePoll[] =>
    [...book().polls.values()].flatMap((poll) => {
      const account = book().accounts.get(poll.accountId);
      const isAsked = account && account.alerts !== "off" && account.pausedAt === undefined;
      const unlisted = book().unlisted.get(poll.accountId) ?? NONE_UNLISTED;
      const isQuiet = unlisted.count === 0 && !of(poll.accountId).some(isAwaiting);
      return isAsked ? [{ account, poll, isQuiet }] : [];
    });
  const isDue = ({ nextPollAt }: DuePoll["poll"], now: Temporal.Instant): boolean =>
    nextPollAt.epochMilliseconds <= now.epochMilliseconds;

  return {
    find: async (accountId, infractionId) => find(accountId, infractionId),
    of: async (accountId) => of(accountId),
    awaiting: async (accountId) => of(accountId).filter(isAwaiting),
    // Used by commands that this simulation leaves out.
    undelivered: async () => 0,
    awaitingBefore: async (dueBefore) => {
      const wanting = [...book().accounts.values()].filter(({ alerts }) => alerts !== "off");
      // Ties in insertion order, like the real store.
      return wanting
        .flatMap(({ id }) => of(id).filter(isAwaiting))
        .toSorted((one, other) => placeOf(one) - placeOf(other))
        .filter(
          ({ dueAt, doneSteps }) =>
            dueAt.epochMilliseconds < dueBefore.epochMilliseconds || !doneSteps.includes("new"),
        )
        .toSorted(byDeadline);
    },
    keep: async (dispute, deliveries, at) => {
      const isThere = find(dispute.accountId, dispute.infractionId) !== undefined;
      if (isThere || !isWanted(dispute.accountId, deliveries)) return undefined;
      return commit({ ...dispute, version: 1 }, deliveries, at);
    },
    step: async ({ accountId, infractionId, version }, change, deliveries, at) => {
      const before = find(accountId, infractionId);
      if (before?.version !== version || !isWanted(accountId, deliveries)) return undefined;
      return commit({ ...before, ...change, version: version + 1 }, deliveries, at);
    },
    unlisted: async (accountId) => book().unlisted.get(accountId) ?? NONE_UNLISTED,
    saveUnlisted: async (accountId, before, after, deliveries, at) => {
      const now = book().unlisted.get(accountId) ?? NONE_UNLISTED;
      const isSame = now.count === before.count && now.notified === before.notified;
      if (!isSame || !isWanted(accountId, deliveries)) return false;
      book().unlisted.set(accountId, after);
      for (const delivery of deliveries) book().outbox.enqueue(delivery, at);
      return true;
    },
    pollState: async (accountId) => book().polls.get(accountId),
    savePolls: async (done) =>
      done.filter(({ claimed: { accountId, nextPollAt }, after }) => {
        const poll = book().polls.get(accountId);
        if (poll === undefined || !poll.nextPollAt.equals(nextPollAt)) return false;
        const { counts, listReadAt, baselineAt } = after;
        const next = { nextPollAt: after.nextPollAt, counts, listReadAt, baselineAt };
        book().polls.set(accountId, { accountId, ...next });
        return true;
      }),
    countDue: async (now) => asked().filter(({ poll }) => isDue(poll, now)).length,
    duePolls: async (now, limit, holdMs) => {
      const { polls } = book();
      const all = asked();
      const byId = (one: DuePoll, other: DuePoll) => (one.account.id < other.account.id ? -1 : 1);
      const due = all
        .filter(({ poll }) => isDue(poll, now))
        .toSorted(
          (one, other) =>
            one.poll.nextPollAt.epochMilliseconds - other.poll.nextPollAt.epochMilliseconds ||
            byId(one, other),
        )
        .slice(0, limit);
      const wallets = new Set(due.map(({ account }) => account.accountFp));
      const alongside = all
        .filter((each) => !due.includes(each) && wallets.has(each.account.accountFp))
        .toSorted(byId);
      return [...due, ...alongside].map(({ account, poll, isQuiet }) => {
        const held = { ...poll, nextPollAt: now.add({ milliseconds: holdMs }) };
        polls.set(account.id, held);
        return { account, poll: held, isQuiet };
      });
    },
  };
};
