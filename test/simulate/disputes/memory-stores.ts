import type { Account } from "#src/domain/account.ts";
import type { NewDelivery } from "#src/domain/delivery.ts";
import type { AlertRoutes } from "#src/domain/dispute-stores.ts";
import type { Clock } from "#src/shared/time.ts";
import type { SavedAccount } from "#src/store/accounts-write.ts";
import type { DisputePorts, DisputeStage } from "./ports.ts";
import {
  emptyBook,
  type MemoryBook,
  redirectToChannel,
  redirectToOwners,
  untell,
} from "./memory-book.ts";
import { memoryWatch } from "./memory-watch.ts";
import { rowIdOf } from "./row-id.ts";

type Accounts = DisputePorts["accounts"];

const memoryAccounts = (book: () => MemoryBook): Accounts => {
  let saved = 0;
  const find: Accounts["find"] = async (guildId, ownerId) =>
    [...book().accounts.values()].find(
      (account) => account.guildId === guildId && account.ownerId === ownerId,
    );
  const rowOf = (
    id: string,
    { locale, ...account }: SavedAccount,
    before: Account | undefined,
    key: string,
  ): Account => {
    const same = before?.id === id || (before?.ownerVerified === true && account.ownerVerified);
    return {
      ...account,
      id,
      keyLast4: key.slice(-4),
      keyFingerprint: key,
      accountFp: key,
      watchId: id,
      alerts: before !== undefined && same ? before.alerts : "direct",
      locale: locale ?? before?.locale,
      pausedAt: undefined,
    };
  };
  const forget = (id: string): void => {
    const { accounts, polls, unlisted, watched, keys, outbox } = book();
    for (const kept of [accounts, polls, unlisted, watched, keys]) kept.delete(id);
    outbox.dropOf(id);
  };
  return {
    find,
    findById: async (id) => book().accounts.get(id),
    ofWatch: async (id) => {
      const account = book().accounts.get(id);
      return account && { told: account, reader: account };
    },
    apiKey: async (id) => book().keys.get(id),
    pause: async (id, at, notice) => {
      const account = book().accounts.get(id);
      if (account === undefined || account.pausedAt !== undefined) return false;
      book().accounts.set(id, { ...account, pausedAt: at });
      book().outbox.enqueue(notice, at);
      return true;
    },
    save: async (account, apiKey) => {
      const { accounts, keys, polls } = book();
      const fresh = rowIdOf(++saved);
      const before = await find(account.guildId, account.ownerId);
      const isKept = before?.keyFingerprint === apiKey.reveal();
      const id = before !== undefined && isKept ? before.id : fresh;
      const row = rowOf(id, account, before, apiKey.reveal());
      if (before !== undefined && !isKept) forget(before.id);
      accounts.set(id, row);
      keys.set(id, apiKey);
      const never = { counts: undefined, listReadAt: undefined, baselineAt: undefined };
      if (!isKept) polls.set(id, { accountId: id, nextPollAt: account.connectedAt, ...never });
      return row;
    },
    setAlerts: async (guildId, ownerId, alerts, at, locale) => {
      const before = await find(guildId, ownerId);
      if (before === undefined) return undefined;
      const account = { ...before, alerts, locale: locale ?? before.locale };
      book().accounts.set(account.id, account);
      if (alerts === "direct") redirectToOwners(book(), { accountId: account.id });
      const { unsettled, finish } = book().outbox;
      const waiting = unsettled().filter(
        ({ kind, accountId }) => kind === "dispute_alert" && accountId === account.id,
      );
      if (alerts !== "off") return account;
      untell(book(), account.id, waiting, at);
      for (const post of waiting) finish(post, "obsolete");
      return account;
    },
  };
};

const memoryRoutes = (book: () => MemoryBook): AlertRoutes => ({
  find: async (guildId) => book().routes.get(guildId),
  save: async (chosen, at) => {
    const { routes } = book();
    const before = routes.get(chosen.guildId);
    const activeSince = before?.active === true ? before.activeSince : at;
    const route = { ...chosen, activeSince, suspendedAt: undefined };
    routes.set(chosen.guildId, route);
    const { guildId, channelId } = chosen;
    if (!chosen.active) redirectToOwners(book(), { guildId });
    else if (before) redirectToChannel(book(), guildId, before.channelId, channelId);
    return route;
  },
  suspend: async (guildId, channelId, at, notices) => {
    const { routes, outbox } = book();
    const route = routes.get(guildId);
    const isFirst = route?.channelId === channelId && route.suspendedAt === undefined;
    if (route && isFirst) routes.set(guildId, { ...route, suspendedAt: at });
    redirectToOwners(book(), { guildId, channelId });
    if (isFirst) for (const notice of notices) outbox.enqueue(notice, at);
    return isFirst;
  },
  owners: async (guildId) => {
    const sellers = [...book().accounts.values()].filter(
      (account) => account.guildId === guildId && account.alerts === "channel",
    );
    const admin = book().routes.get(guildId)?.updatedBy;
    const ids = sellers.map(({ ownerId }) => ownerId);
    return [...new Set(admin === undefined ? ids : [...ids, admin])].toSorted();
  },
});

const memoryOutboxPort = (book: () => MemoryBook, clock: () => Clock): DisputePorts["outbox"] => ({
  enqueue: async (delivery: NewDelivery, at) => book().outbox.enqueue(delivery, at),
  claim: async (request) => book().outbox.claim(request, clock().now()),
  settle: async (claim, result) => {
    const { outbox, watched } = book();
    if (result.state !== "obsolete" || result.unsent === undefined) {
      return outbox.settle(claim, result);
    }
    const { accountId, infractionId, version, doneSteps } = result.unsent;
    const own = watched.get(accountId);
    const dispute = own?.get(infractionId);
    if (dispute !== undefined && dispute.version !== version) {
      const { notBefore } = claim;
      return outbox.settle(claim, {
        state: "due",
        notBefore,
        error: "judged_anew",
        untouched: true,
      });
    }
    if (!outbox.settle(claim, result)) return false;
    if (dispute) own?.set(infractionId, { ...dispute, doneSteps, version: version + 1 });
    return true;
  },
});

/** A model of the stores that keeps their contracts and serves any number of runs. */
export const openMemoryStage = async (): Promise<DisputeStage> => {
  let current = emptyBook();
  let clock: Clock | undefined;
  let ports: DisputePorts | undefined;
  const book = (): MemoryBook => current;
  const begun = (): DisputePorts => {
    if (ports === undefined) throw new Error("Nothing was begun");
    return ports;
  };
  return {
    get ports() {
      return begun();
    },
    begin: async (nextClock) => {
      current = emptyBook();
      clock = nextClock;
      ports = {
        accounts: memoryAccounts(book),
        watch: memoryWatch(book),
        routes: memoryRoutes(book),
        outbox: memoryOutboxPort(book, () => clock ?? nextClock),
        skipPolls: async (accountId, nextPollAt) => {
          const poll = current.polls.get(accountId);
          if (poll) current.polls.set(accountId, { ...poll, nextPollAt });
        },
      };
    },
    close: async () => {},
  };
};
