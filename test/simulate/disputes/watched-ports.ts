import type { DisputePoll } from "#src/disputes/dispute-watch.ts";
import type { NewDelivery } from "#src/delivery/delivery.ts";
import type { WatchedDispute, DisputeChange } from "#src/disputes/dispute-alert.ts";
import type { Ledger } from "./ledger.ts";
import type { DisputePorts } from "./stage.ts";

interface PortEvents {
  /** New work may be due at that time. */
  readonly stir: (atMs: number) => void;
  readonly onPollTaken: (accountId: string, poll: DisputePoll) => void;
  readonly onPollSaved: (accountId: string, after: Omit<DisputePoll, "watchId">) => void;
  readonly onChanged: (accountId: string) => void;
  /** An acknowledgement was given or withdrawn: readings decide whether it holds. */
  readonly onWord: (accountId: string) => void;
  readonly merchantOf: (apiKey: string) => string;
  readonly nowMs: () => number;
  readonly note: (text: string) => void;
  readonly violate: (rule: string, why: string) => void;
}

/** The same stores below the simulated crashes: the judge sees every commit. */
export const watchPorts = (
  ports: DisputePorts,
  ledger: Ledger,
  events: PortEvents,
): { readonly of: (by: "job" | "person") => DisputePorts } => {
  const { stir, nowMs, note } = events;
  const { accounts, watch, routes, outbox } = ports;

  const handed = (deliveries: readonly NewDelivery[], dueMs: number | undefined): void => {
    for (const delivery of deliveries) {
      ledger.onDelivery(delivery, dueMs);
      note(`handed over: ${delivery.dedupeKey} not before ${delivery.notBefore.toString()}`);
      stir(delivery.notBefore.epochMilliseconds);
    }
  };
  const refreshed = async (accountId: string): Promise<void> => {
    const [account, key] = await Promise.all([
      accounts.findById(accountId),
      accounts.apiKey(accountId),
    ]);
    if (account && key) ledger.onAccount(account, events.merchantOf(key.reveal()));
    events.onChanged(accountId);
  };
  const stepped = (
    before: WatchedDispute,
    change: DisputeChange,
    after: WatchedDispute,
    by: "job" | "person",
  ): void => {
    const own = ledger.rows.get(after.watchId)?.cases.get(after.infractionId);
    if (own === undefined) return events.violate("X", "a step of what nobody keeps");
    own.known.set(nowMs(), after);
    const { snoozedUntil, answeredByOwnerAt } = after;
    if ("snoozedUntil" in change && snoozedUntil !== undefined) {
      own.snoozedUntilMs.set(nowMs(), snoozedUntil.epochMilliseconds);
      stir(snoozedUntil.epochMilliseconds);
    }
    if ("answeredByOwnerAt" in change) {
      own.word.set(nowMs(), answeredByOwnerAt !== undefined);
      const fails = by === "job" && answeredByOwnerAt === undefined && after.status === "pending";
      if (fails) own.failedWordsMs.push(nowMs());
      events.onWord(before.watchId);
    }
    events.onChanged(before.watchId);
  };

  const of = (by: "job" | "person"): DisputePorts => ({
    ...ports,
    accounts: {
      ...accounts,
      save: async (account, ...given) => {
        const before = await accounts.find(account.guildId, account.ownerId);
        const saved = await accounts.save(account, ...given);
        if (before !== undefined && before.id !== saved.id) ledger.onGone(before.id);
        await refreshed(saved.id);
        return saved;
      },
      setAlerts: async (...given) => {
        const account = await accounts.setAlerts(...given);
        if (account === undefined) return account;
        const row = ledger.rows.get(account.id);
        for (const told of [...(row?.cases.values() ?? [])].flatMap((own) => own.told)) {
          if (account.alerts === "off" && told.messages.length === 0) told.withdrawn = true;
        }
        await refreshed(account.id);
        stir(nowMs());
        return account;
      },
      pause: async (accountId, at, notice) => {
        const isFirst = await accounts.pause(accountId, at, notice);
        if (isFirst) handed([notice], undefined);
        await refreshed(accountId);
        return isFirst;
      },
    },
    routes: {
      ...routes,
      save: async (...given) => {
        const route = await routes.save(...given);
        ledger.onRoute(route);
        stir(nowMs());
        return route;
      },
      suspend: async (guildId, channelId, at, notices) => {
        const isFirst = await routes.suspend(guildId, channelId, at, notices);
        const route = isFirst ? await routes.find(guildId) : undefined;
        if (route !== undefined) ledger.onRoute(route);
        if (isFirst) handed(notices, undefined);
        stir(nowMs());
        return isFirst;
      },
    },
    outbox: {
      enqueue: async (delivery, at) => {
        const isNew = await outbox.enqueue(delivery, at);
        if (isNew) handed([delivery], undefined);
        return isNew;
      },
      claim: async (request) => {
        const claims = await outbox.claim(request);
        for (const claim of claims) {
          const told = ledger.toldOf(claim);
          if (told === undefined) continue;
          told.claims++;
          told.firstClaimMs ??= nowMs();
        }
        if (claims.length > 0) stir(nowMs() + request.leaseMs);
        return claims;
      },
      settle: async (claim, result) => {
        const isOurs = await outbox.settle(claim, result);
        const told = ledger.toldOf(claim);
        if (isOurs && told) {
          told.settled = result.state;
          told.settles++;
          const isPutOff = "notBefore" in result && result.error === "put_off";
          if (isPutOff) told.putOffMs = result.notBefore.epochMilliseconds;
        }
        if ("notBefore" in result) stir(result.notBefore.epochMilliseconds);
        note(`settled: ${claim.dedupeKey} ${JSON.stringify(result)}${isOurs ? "" : " too late"}`);
        return isOurs;
      },
    },
    watch: {
      ...watch,
      keep: async (dispute, deliveries, at) => {
        const kept = await watch.keep(dispute, deliveries, at);
        if (kept === undefined) return kept;
        const own = ledger.onKept(kept, by === "person", deliveries.length === 0);
        own.known.set(nowMs(), kept);
        note(`kept: ${kept.infractionId} ${kept.status} ${kept.analysisStatus} by a ${by}`);
        handed(deliveries, kept.dueAt.epochMilliseconds);
        events.onChanged(kept.watchId);
        return kept;
      },
      step: async (before, change, deliveries, at) => {
        const after = await watch.step(before, change, deliveries, at);
        if (after === undefined) return after;
        stepped(before, change, after, by);
        handed(deliveries, after.dueAt.epochMilliseconds);
        return after;
      },
      duePolls: async (...given) => {
        const due = await watch.duePolls(...given);
        for (const { account, poll } of due) events.onPollTaken(account.id, poll);
        return due;
      },
      savePolls: async (done) => {
        const kept = await watch.savePolls(done);
        for (const { claimed, after } of kept) {
          const row = ledger.rows.get(claimed.watchId);
          if (row) row.baselineMs ??= after.baselineAt?.epochMilliseconds;
          events.onPollSaved(claimed.watchId, after);
        }
        return kept;
      },
    },
  });
  return { of };
};
