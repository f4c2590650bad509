import type { Clock } from "../shared/time.ts";
import { MINUTE, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import type { Metrics } from "../shared/metrics.ts";
import type { Timers } from "../wallet/timers.ts";
import type { CallSubject } from "./call-trust.ts";
import { createThrottle } from "./throttle.service.ts";
import { type SecretHashes, secretHashOf, type Webhooks } from "./webhook.ts";

/** A look at one wallet account, with background priority and within the account's pacing. */
export type LookNow = (accountFp: string) => Promise<void>;

/** Questions of the looks at one subject about calls, and their reports of news. */
export interface CallsAbout {
  /** Until when calls announce the account's news, so that looks may be rare; undefined while they do not. */
  readonly trustedUntil: (accountFp: string) => Temporal.Instant | undefined;
  /** A look found news, whether a call woke it or not. Never rejects. */
  readonly foundNews: (accountFp: string) => Promise<void>;
}

export interface Calls {
  /** Takes a call that was already answered. Does the same work for every token until the next turn of the loop. */
  readonly receive: (token: string) => void;
  readonly about: (subject: CallSubject) => CallsAbout;
  /** Reads the trust in calls again: other processes change it too. */
  readonly refresh: () => Promise<void>;
  /** Number of subjects of wallet accounts whose looks are rare. */
  readonly countTrusted: () => number;
  readonly stop: () => void;
}

interface CallsNeeds {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "webhook">;
  readonly webhooks: Pick<Webhooks, "called" | "foundNews" | "trusted">;
  readonly hashes: SecretHashes;
  /** Begins all looks at one wallet account. */
  readonly lookNow: (accountFp: string) => readonly Promise<void>[];
}

/** One look in this time for each wallet account; a call in between is followed by one look at its end. */
export const LOOK_GAP_MS = 5 * SECOND;
/** An address that is replaced or removed is asked about once in this time. */
const DEAD_GAP_MS = MINUTE;
/** Calls that wait for the next turn of the loop; one more is dropped. */
const MOST_WAITING = 10_000;
/** Accounts looked at, and addresses asked about, at the same time. */
const CONCURRENCY = 64;

export const createCalls = (needs: CallsNeeds): Calls => {
  const { clock, timers, log, metrics, webhooks, hashes } = needs;
  const waiting: string[] = [];
  let trusted = new Map<string, Temporal.Instant>();
  let stopped = false;

  const keyOf = (subject: CallSubject, accountFp: string): string => `${subject}|${accountFp}`;

  const look = async (accountFp: string): Promise<number> => {
    metrics.webhook("look");
    for (const end of await Promise.allSettled(needs.lookNow(accountFp)))
      if (end.status === "rejected") log.error({ err: end.reason as unknown }, "a look failed");
    return LOOK_GAP_MS;
  };
  const looks = createThrottle({ timers, concurrency: CONCURRENCY, work: look });

  const ask = async (secretHash: string): Promise<number> => {
    try {
      const accountFp = await webhooks.called(secretHash, clock.now());
      metrics.webhook(accountFp === undefined ? "wrong" : "right");
      if (accountFp === undefined) return DEAD_GAP_MS;
      looks.ask(accountFp);
    } catch (error) {
      // The polls find the announced news.
      log.error({ err: error }, "a call could not be marked");
    }
    return LOOK_GAP_MS;
  };
  const marks = createThrottle({ timers, concurrency: CONCURRENCY, work: ask });

  const drain = (): void => {
    for (const token of waiting.splice(0)) {
      const secretHash = secretHashOf(token, hashes);
      if (secretHash === undefined) metrics.webhook("wrong");
      else if (!marks.ask(secretHash)) metrics.webhook("limited");
    }
  };

  return {
    receive: (token) => {
      if (stopped || waiting.length >= MOST_WAITING) return metrics.webhook("limited");
      if (waiting.push(token) === 1) setImmediate(drain);
    },
    about: (subject) => ({
      trustedUntil: (accountFp) => {
        const until = trusted.get(keyOf(subject, accountFp));
        return until !== undefined && Temporal.Instant.compare(clock.now(), until) < 0
          ? until
          : undefined;
      },
      foundNews: async (accountFp) => {
        const key = keyOf(subject, accountFp);
        try {
          const until = await webhooks.foundNews(accountFp, subject, clock.now());
          if (until === undefined) trusted.delete(key);
          else trusted.set(key, until);
        } catch (error) {
          trusted.delete(key);
          log.error({ err: error }, "news could not be compared with calls");
        }
      },
    }),
    refresh: async () => {
      const rows = await webhooks.trusted(clock.now());
      trusted = new Map(rows.map((row) => [keyOf(row.subject, row.accountFp), row.until]));
    },
    countTrusted: () => trusted.size,
    stop: () => {
      stopped = true;
      marks.stop();
      looks.stop();
    },
  };
};
