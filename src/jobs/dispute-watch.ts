import type { Account } from "../domain/account.ts";
import type { Dispute, DisputeSummary } from "../domain/dispute.ts";
import type { DisputePage } from "../domain/dispute-list.ts";
import { disputeState } from "../domain/dispute-state.ts";
import type { AlertRoutes, DisputeWatch, DuePoll } from "../domain/dispute-stores.ts";
import { LONGEST_REMINDER_MS, nextPollAt, owedStep } from "../domain/dispute-watch.ts";
import type { Lane } from "../domain/lane.ts";
import type { Clock } from "../shared/clock.ts";
import { MINUTE } from "../shared/duration.ts";
import { WalletError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { Secret } from "../shared/secret.ts";
import type { AccountsStore } from "../store/accounts.ts";
import { createDisputePoll } from "./dispute-poll.ts";
import { createDisputeTeller } from "./dispute-teller.ts";
import { keyRefused } from "./notices.ts";

interface Key {
  readonly apiKey: Secret;
  readonly fingerprint: string;
}

/** All throw WalletError. */
export interface WatchedWallet {
  readonly dispute: (key: Key, infractionId: string, lane: Lane) => Promise<Dispute>;
  readonly disputes: (key: Key, lane: Lane) => Promise<DisputePage>;
  readonly disputeSummary: (key: Key, lane: Lane) => Promise<DisputeSummary>;
}

export interface DisputeWatchNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly accounts: Pick<AccountsStore, "findById" | "apiKey" | "pause">;
  readonly watch: DisputeWatch;
  readonly routes: Pick<AlertRoutes, "find">;
  readonly wallet: WatchedWallet;
  /** Told after anything was handed to the outbox. */
  readonly onOwed: () => void;
}

/** Two looks at disputes; neither rejects for the sake of one seller. */
export interface DisputeWatchJob {
  /** Hands over the reminders that the clock makes due, without asking the service. */
  readonly remind: () => Promise<void>;
  /** Asks the service about every account whose poll is due. */
  readonly poll: (stopping: AbortSignal) => Promise<void>;
}

const LANES = 8;
/** Longer than a poll takes: no other process takes the account meanwhile. */
const HOLD_MS = 4 * MINUTE;
const LANE = "background";

export const createDisputeWatch = (needs: DisputeWatchNeeds): DisputeWatchJob => {
  const { clock, log, accounts, watch, routes, wallet } = needs;
  const teller = createDisputeTeller(needs);
  const look = createDisputePoll({ clock, log, watch, teller });

  const ask = async (due: DuePoll, stopping: AbortSignal): Promise<void> => {
    const { account, poll } = due;
    const apiKey = await accounts.apiKey(account.id);
    if (apiKey === undefined) return;
    const key = { apiKey, fingerprint: account.keyFingerprint };
    const reads = {
      summary: () => wallet.disputeSummary(key, LANE),
      list: () => wallet.disputes(key, LANE),
      dispute: (infractionId: string) => wallet.dispute(key, infractionId, LANE),
    };
    const { isWhole, ...found } = await look(account, poll, reads, stopping);
    const now = clock.now();
    const route = await routes.find(account.guildId);
    const next = nextPollAt(account.id, route, now);
    const soon = now.add({ milliseconds: MINUTE });
    await watch.savePoll(poll, { ...found, nextPollAt: isWhole ? next : soon });
  };

  const giveUpForNow = async ({ account, poll }: DuePoll, error: unknown): Promise<void> => {
    const now = clock.now();
    const route = await routes.find(account.guildId);
    await watch.savePoll(poll, { ...poll, nextPollAt: nextPollAt(account.id, route, now) });
    if (!(error instanceof WalletError) || error.kind !== "unauthorized") throw error;
    await pause(account, route?.locale ?? "pt-BR", error);
  };

  const pause = async (account: Account, locale: "pt-BR" | "en-US", error: WalletError) => {
    const now = clock.now();
    const notice = keyRefused({ guildId: account.guildId, locale }, account, error, now);
    await accounts.pause(account.id, now, notice);
    needs.onOwed();
    log.warn({ account: account.id, err: error }, "a key is refused; its jobs wait");
  };

  const askSafely = async (due: DuePoll, stopping: AbortSignal): Promise<void> => {
    try {
      await ask(due, stopping).catch((error: unknown) => giveUpForNow(due, error));
    } catch (error) {
      // One seller's failure is its own, even a failure to note it.
      log.error({ account: due.account.id, err: error }, "disputes could not be watched");
    }
  };

  return {
    remind: async () => {
      const now = clock.now();
      const horizon = now.add({ milliseconds: LONGEST_REMINDER_MS + 1 });
      for (const watched of await watch.awaitingBefore(horizon)) {
        if (owedStep(watched, disputeState(watched, now), now) === undefined) continue;
        try {
          await teller.remind(watched);
        } catch (error) {
          const { accountId, infractionId } = watched;
          log.error(
            { account: accountId, infractionId, err: error },
            "a reminder is not handed over",
          );
        }
      }
    },
    poll: async (stopping) => {
      const lane = async (): Promise<void> => {
        while (!stopping.aborted) {
          const [due] = await watch.duePolls(clock.now(), 1, HOLD_MS);
          if (due === undefined) return;
          await askSafely(due, stopping);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    },
  };
};
