import { LONGEST_UNKNOWN_WAIT_MS } from "#src/withdrawals/check-schedule.ts";
import type { WithdrawAnswer } from "#src/withdrawals/withdrawal.ts";
import { outcomeDelivery } from "#src/withdrawals/withdraw-transition.service.ts";
import { gather } from "#src/withdrawals/withdraw-reconcile.service.ts";
import type { WithdrawJournal } from "#src/withdrawals/withdraw-journal.store.ts";
import type { Transition } from "#src/withdrawals/withdraw-journal.ts";
import type { Account } from "#src/accounts/account.ts";
import type { MoneyNeeds, MoneyWallet } from "#src/withdrawals/money-services.service.ts";
import { readPixKey } from "#src/withdrawals/pix-key.ts";
import { cents } from "#src/shared/money.ts";
import { MINUTE } from "#src/shared/time.ts";
import { WalletError } from "#src/shared/errors.ts";
import type { WithdrawOp } from "#src/withdrawals/withdraw-op.ts";
import { REFUSED } from "../../withdrawals/plain-wallet.ts";
import type { Plant } from "./bot.ts";

const refused = (answer: WithdrawAnswer): WithdrawAnswer =>
  answer.state === "unknown" && answer.httpStatus === 409
    ? { ...REFUSED, httpStatus: 409 }
    : answer;

/** A bot with these operations of its wallet changed. */
const inWallet =
  (changes: (wallet: MoneyWallet, needs: MoneyNeeds) => Partial<MoneyWallet>): Plant =>
  (needs) => ({ ...needs, wallet: { ...needs.wallet, ...changes(needs.wallet, needs) } });

/** A bot with these operations of its journal changed. */
const inJournal =
  (changes: (journal: WithdrawJournal, needs: MoneyNeeds) => Partial<WithdrawJournal>): Plant =>
  (needs) => ({ ...needs, journal: { ...needs.journal, ...changes(needs.journal, needs) } });

/** Takes a 409 for a refusal. */
export const believesConflicts = inWallet((wallet) => ({
  withdraw: async (...given) => refused(await wallet.withdraw(...given)),
  splitWithdraw: async (...given) => refused(await wallet.splitWithdraw(...given)),
}));

/** Takes a refusal as final, even when the list contradicts it before the next request. */
export const forgetsRefusals = inJournal((journal) => ({
  withoutTxid: async (query) =>
    query.states.includes("rejected") ? [] : await journal.withoutTxid(query),
}));

/** Takes a crash while sending as proof that the request was never sent. */
export const crashAsProof = inJournal((journal, needs) => ({
  sweep: async (everything, at, noticesFor) => {
    const swept = await journal.sweep(everything, at, noticesFor);
    for (const op of swept) {
      if (op.state !== "unknown") continue;
      const notices = [outcomeDelivery(needs, { ...op, state: "not_executed" }, undefined, at)];
      await journal.move(op, { to: "not_executed", reason: "crashed", notices }, at);
    }
    return swept;
  },
}));

/** Takes one absence as proof as soon as the request is that old. */
export const settlesAfter = (ms: number): Plant =>
  inJournal((journal, needs) => ({
    amend: async (op, change, at) => {
      const sentMs = op.sentAt?.epochMilliseconds ?? Infinity;
      const isRead = change.checks !== undefined && op.txid === undefined && op.kind !== "cancel";
      const isOpen = op.state === "unknown" || op.state === "manual";
      const found = await needs.findByFingerprint(op.accountFp, op.ownerId);
      if (!isRead || !isOpen || found === undefined || at.epochMilliseconds - sentMs < ms) {
        return await journal.amend(op, change, at);
      }
      const key = { apiKey: found.apiKey, fingerprint: op.accountFp };
      const evidence = await gather(needs, op, key, "job");
      if (evidence.kind !== "absent") return await journal.amend(op, change, at);
      const notices = [outcomeDelivery(needs, { ...op, state: "not_executed" }, undefined, at)];
      const step = { to: "not_executed", reason: "absent", notices } as const;
      const result = await journal.move(op, step, at);
      return result.kind === "moved" ? result.op : undefined;
    },
  }));

/** Treats every message about a doubt as never sent, so that an edit of the reply suffices for the outcome. */
export const endByEditAlone: Plant = (needs) => ({
  ...needs,
  retract: async (...given) => {
    await needs.retract(...given);
    return true;
  },
});

/** Forgets a refusal once it proved wrong, so that an edit of the reply suffices for the outcome. */
export const endsRefusalByEdit = inJournal((journal) => ({
  move: (op, step, at) => {
    const change = { ...step.change, errorCode: "found" };
    return journal.move(op, op.state === "rejected" ? { ...step, change } : step, at);
  },
}));

interface Connected {
  readonly account: Account;
}

const under = <Found extends Connected>(accountFp: string, found: Found | undefined) =>
  found && { ...found, account: { ...found.account, accountFp } };

const walletOf = (accountFp: string): string => accountFp.split("~")[0] ?? "";

/** No connection is stored with the part of a wallet account. */
const asksNoConnection = inJournal((journal) => ({
  move: (op, step, at) => {
    const { whileConnected: _, ...unasked } = step;
    return journal.move(op, unasked, at);
  },
}));

/** Splits the operations of one wallet account by a property of its connections. */
const lockPer =
  (what: (account: Account) => string): Plant =>
  (needs: MoneyNeeds) => ({
    ...asksNoConnection(needs),
    findWithKey: async (guildId, ownerId) => {
      const found = await needs.findWithKey(guildId, ownerId);
      return found && under(`${found.account.accountFp}~${what(found.account)}`, found);
    },
    findByFingerprint: async (accountFp, ...whose) =>
      under(accountFp, await needs.findByFingerprint(walletOf(accountFp), ...whose)),
    connectionsOf: (accountFp) => needs.connectionsOf(walletOf(accountFp)),
  });

/** Locks per Discord user, although two users may hold keys of one wallet account. */
export const lockPerPerson = lockPer(({ ownerId }) => ownerId);

/** Locks per API key, although a wallet account may have several. */
export const lockPerKey = lockPer(({ keyFingerprint }) => keyFingerprint);

/**
 * Combines several mistakes, because redundant guards would hide each alone. A plant that reads for itself comes last.
 */
export const together =
  (...plants: readonly Plant[]): Plant =>
  (needs) =>
    plants.reduce((planted, plant) => plant(planted), needs);

/** Trusts any list, even one that never showed an open withdrawal. */
export const believesAnyList: Plant = (needs) => ({
  ...needs,
  openListings: { ...needs.openListings, isKnown: () => Promise.resolve(true) },
});

/** Skips the check whether the balance fell. */
export const ignoresBalance = inWallet((wallet) => ({
  balance: async (key, priority) => {
    const read = await wallet.balance(key, priority);
    return priority === "background" ? { available: cents(1e12) } : read;
  },
}));

/** Recognises only stars as a mask, and treats every other form as a different key. */
export const knowsOnlyStars = inWallet((wallet) => ({
  withdrawal: async (...given) => {
    const read = await wallet.withdrawal(...given);
    const key = readPixKey(read.pixKey);
    const isKey = key.kind === "key" && !key.key.suspect && key.key.type !== "unknown";
    if (isKey || read.pixKey.includes("*")) return read;
    return { ...read, pixKey: "somebody.else@example.com" };
  },
}));

/** Retries unreadable operations for ever, without asking their owner. */
export const neverGiveUp = inJournal((journal) => ({
  move: async (op, step, at) => {
    if (step.to !== "manual") return await journal.move(op, step, at);
    // A later time would count as one from before the clock was set back, and be read again at once.
    await journal.amend(op, { nextCheckAt: at.add({ milliseconds: LONGEST_UNKNOWN_WAIT_MS }) }, at);
    return { kind: "lost" };
  },
}));

const OLDEST = {
  txid: "W0",
  requestedAt: Temporal.Instant.fromEpochMilliseconds(0),
  amount: undefined,
  status: undefined,
};

/** Short pages, so that other withdrawals push a row off before it can be read. */
const ROWS = 2;
const UNREADABLE_MS = 11 * MINUTE;

/** Takes every page as the whole list: a missing row did not happen. */
export const noCoverage = inWallet((wallet, { clock }) => {
  let sentMs = Number.NEGATIVE_INFINITY;
  const nowMs = (): number => clock.now().epochMilliseconds;
  return {
    withdraw: (...given) => {
      sentMs = nowMs();
      return wallet.withdraw(...given);
    },
    withdrawals: async (...given) => {
      if (nowMs() - sentMs < UNREADABLE_MS)
        throw new WalletError({ kind: "unavailable", method: "GET", route: "/v1/simulated" });
      const page = await wallet.withdrawals(...given);
      return { ...page, items: [...page.items.slice(0, ROWS), OLDEST] };
    },
  };
});

const START = Temporal.Instant.fromEpochMilliseconds(0);

/** Sends regardless of the delay since its commit. */
export const neverHeldUp: Plant = (needs) => {
  // Both clocks are read in the same turn, at the start and at the check.
  let isWatching = false;
  return {
    ...needs,
    monotonicMs: () => {
      isWatching = true;
      return 0;
    },
    clock: {
      now: () => {
        if (!isWatching) return needs.clock.now();
        isWatching = false;
        return START;
      },
    },
  };
};

/** Checks lock and cap at the click, and skips the check before the request. */
export const noLateCheck: Plant = (needs) => {
  const confirmed = new Set<string>();
  return {
    ...needs,
    guards: {
      ...needs.guards,
      find: async (ownerId) =>
        confirmed.has(ownerId) ? undefined : await needs.guards.find(ownerId),
    },
    journal: {
      ...needs.journal,
      move: async (op, step, at) => {
        const result = await needs.journal.move(op, step, at);
        if (step.to === "confirmed" && result.kind === "moved") confirmed.add(op.ownerId);
        else confirmed.delete(op.ownerId);
        return result;
      },
    },
  };
};

/** Takes an unclear answer for a failure and repeats the request. */
export const retryOnUnknown = inWallet((wallet) => {
  const twice =
    <Given extends unknown[], Answer extends { readonly state: string }>(
      send: (...given: Given) => Promise<Answer>,
    ) =>
    async (...given: Given): Promise<Answer> => {
      const answer = await send(...given);
      return answer.state === "unknown" ? await send(...given) : answer;
    };
  return { withdraw: twice(wallet.withdraw), splitWithdraw: twice(wallet.splitWithdraw) };
});

/** Commits `sending` only after the answer. */
export const sendBeforeCommit = inJournal((journal) => {
  const held = new Map<string, { readonly op: WithdrawOp; readonly step: Transition }>();
  return {
    move: async (op, step, at) => {
      if (step.to === "sending") {
        held.set(op.id, { op, step });
        const sending = {
          ...op,
          ...step.change,
          state: "sending",
          version: op.version + 1,
        } as const;
        return { kind: "moved", op: sending };
      }
      const before = held.get(op.id);
      held.delete(op.id);
      if (before !== undefined) await journal.move(before.op, before.step, at);
      return await journal.move(op, step, at);
    },
  };
});

/** Reports outcomes only in the private reply. */
export const tellNobody = inJournal((journal) => ({
  move: (op, step, at) => journal.move(op, { ...step, notices: [] }, at),
}));

/** Reads nothing while all times of checks are to come, as if no clock were ever set back. */
export const trustsTimes = inJournal((journal) => ({
  claimDue: async (at, ...rest) => {
    const next = await journal.nextDueAt();
    const isToCome = next === undefined || Temporal.Instant.compare(next, at) > 0;
    return isToCome ? [] : await journal.claimDue(at, ...rest);
  },
}));
