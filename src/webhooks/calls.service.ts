import { type Clock, MINUTE, SECOND } from "../shared/time.ts";
import { DatabaseAwayError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { Metrics } from "../shared/metrics.ts";
import type { Random } from "../shared/random.ts";
import type { Timers } from "../wallet/timers.ts";
import { type CallSubject, callSubjects } from "./call-trust.ts";
import { createThrottle } from "./throttle.service.ts";
import { type SecretHashes, secretHashOf } from "./webhook.ts";
import type { Webhooks } from "./webhooks.store.ts";

/** Looks that a call wakes. */
const lookKinds = [...callSubjects, "withdrawals", "charges"] as const;

type LookKind = (typeof lookKinds)[number];

/** Each looks at one wallet account, with background priority and within the account's pacing. */
export type LookNow = Readonly<Record<LookKind, (accountFp: string) => Promise<void>>>;

/** Brings the next look at one wallet account forward to a time within some minutes, spread over the accounts. */
export type LookSoon = Readonly<Record<CallSubject, (accountFp: string) => Promise<unknown>>>;

export type Calls = ReturnType<typeof createCalls>;

export type CallsAbout = ReturnType<Calls["about"]>;

interface CallsNeeds {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Pick<Random, "fraction">;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "webhook">;
  readonly webhooks: Pick<Webhooks, "called" | "foundNews" | "onceTrusted" | "trusted">;
  readonly hashes: SecretHashes;
}

/**
 * Looks at a wallet account begin once in this time; a call in between is followed by looks at its end. Those still under
 * way are made again once they end.
 */
export const LOOK_GAP_MS = 5 * SECOND;
/**
 * Random pause before the work of a known secret, a hundred times as long as that work holds up the loop: a request
 * after a right call meets it once in a hundred times, at no time that is known. A notice comes 0.3 s later on average.
 */
export const MARK_PAUSE_MS = { least: 50, most: 500 } as const;
/**
 * Pause of each kind after its look while calls go on. In a burst of sales, looks at MEDs and withdrawals every five
 * seconds would take from the account's pace what the sales need.
 */
const PAUSE_MS: Readonly<Record<LookKind, number>> = {
  sales: 0,
  charges: 0,
  disputes: 15 * SECOND,
  withdrawals: 15 * SECOND,
};
/** An address that is replaced or removed is asked about once in this time. */
const DEAD_GAP_MS = MINUTE;
/**
 * Time to the next try to mark a call, as while the database is away: shorter than `LATE_CALL_MS`, so that it still counts
 * for news that a look has found meanwhile.
 */
export const FAILED_GAP_MS = 30 * SECOND;
/** Calls that wait for the next turn of the loop; one more is dropped. */
const MOST_WAITING = 10_000;
/** Calls judged in one turn of the loop, about 11 ms: a flood holds up no command for longer. */
const CALLS_A_TURN = 2_000;
/** Accounts looked at in one way, and addresses asked about, at the same time. */
const CONCURRENCY = 64;

const noTrusted = () => ({
  sales: new Map<string, Temporal.Instant>(),
  disputes: new Map<string, Temporal.Instant>(),
});

export const createCalls = (needs: CallsNeeds) => {
  const { clock, timers, random, log, metrics, webhooks, hashes } = needs;
  const waiting: string[] = [];
  /** Until when the calls of each wallet account are trusted, by its fingerprint. */
  let trusted = noTrusted();
  /** Undefined before the start and after the stop, while no call is taken. */
  let look: LookNow | undefined;
  let soon: LookSoon | undefined;

  /** Each kind by itself: a look that hangs holds up no other. */
  const throttleOf = (kind: LookKind) => {
    const work = async (accountFp: string): Promise<number> => {
      try {
        await look?.[kind](accountFp);
      } catch (error) {
        log.error({ kind, err: error }, "a look failed");
      }
      return PAUSE_MS[kind];
    };
    return createThrottle({ timers, concurrency: CONCURRENCY, work });
  };
  const byKind = lookKinds.map(throttleOf);

  const begin = async (accountFp: string): Promise<number> => {
    metrics.webhook("look");
    for (const kind of byKind) kind.ask(accountFp);
    return LOOK_GAP_MS;
  };
  const looks = createThrottle({ timers, concurrency: CONCURRENCY, work: begin });

  const ask = async (secretHash: string): Promise<number> => {
    try {
      const accountFp = await webhooks.called(secretHash, clock.now());
      metrics.webhook(accountFp === undefined ? "wrong" : "right");
      if (accountFp === undefined) return DEAD_GAP_MS;
      looks.ask(accountFp);
    } catch (error) {
      // Each address that is called tries again: the loss of the database was logged where it was first noticed.
      const level = error instanceof DatabaseAwayError ? "debug" : "error";
      log[level]({ err: error }, "a call could not be marked");
      marks.ask(secretHash);
      return FAILED_GAP_MS;
    }
    return LOOK_GAP_MS;
  };
  const { least, most } = MARK_PAUSE_MS;
  const pauseMs = (): number => least + random.fraction() * (most - least);
  const marks = createThrottle({ timers, concurrency: CONCURRENCY, work: ask, pauseMs });

  const drain = (): void => {
    for (const token of waiting.splice(0, CALLS_A_TURN)) {
      const secretHash = secretHashOf(token, hashes);
      if (secretHash === undefined) metrics.webhook("wrong");
      else if (!marks.ask(secretHash)) metrics.webhook("limited");
    }
    if (waiting.length > 0) setImmediate(drain);
  };

  const lookSoon = async (accounts: (subject: CallSubject) => readonly string[]): Promise<void> => {
    for (const subject of callSubjects)
      for (const accountFp of accounts(subject))
        try {
          await soon?.[subject](accountFp);
        } catch (error) {
          // It is made at its time.
          log.error({ subject, err: error }, "a look could not be brought forward");
        }
  };

  return {
    /** Takes calls from now on. */
    open: (given: LookNow, forward: LookSoon): void => {
      look = given;
      soon = forward;
    },
    isOpen: (): boolean => look !== undefined,
    /** Takes a call that was already answered. Does the same work for every token until the next turn of the loop. */
    receive: (token: string): void => {
      if (look === undefined || waiting.length >= MOST_WAITING) return metrics.webhook("limited");
      if (waiting.push(token) === 1) setImmediate(drain);
    },
    /** Questions of the looks at one subject about calls, and their reports of news. */
    about: (subject: CallSubject) => ({
      /** Until when calls announce the account's news, so that looks may be rare; undefined while they do not. */
      trustedUntil: (accountFp: string): Temporal.Instant | undefined => {
        const until = trusted[subject].get(accountFp);
        return until !== undefined && Temporal.Instant.compare(clock.now(), until) < 0
          ? until
          : undefined;
      },
      /** A look found news, whether a call woke it or not. Never rejects. */
      foundNews: async (accountFp: string): Promise<void> => {
        try {
          const until = await webhooks.foundNews(accountFp, subject, clock.now());
          if (until === undefined) trusted[subject].delete(accountFp);
          else trusted[subject].set(accountFp, until);
        } catch (error) {
          trusted[subject].delete(accountFp);
          log.error({ err: error }, "news could not be compared with calls");
        }
      },
    }),
    /**
     * Reads the trust in calls again: other processes change it too. Where it has ended, as with a removed address, the
     * next look may be a quarter of an hour away, and is brought forward.
     */
    refresh: async (): Promise<void> => {
      const read = noTrusted();
      for (const { subject, accountFp, until } of await webhooks.trusted(clock.now()))
        read[subject].set(accountFp, until);
      const before = trusted;
      trusted = read;
      await lookSoon((subject) =>
        [...before[subject].keys()].filter((accountFp) => !read[subject].has(accountFp)),
      );
    },
    /**
     * Brings the rare looks forward: a call may have come, and been lost, while no process took it. Those of an earlier
     * process are as rare where the trust has ended since, by its time, a restore or a start without calls. Never rejects.
     */
    lookAtTrusted: async (): Promise<void> => {
      try {
        const once = await webhooks.onceTrusted();
        await lookSoon((subject) =>
          once.filter((each) => each.subject === subject).map(({ accountFp }) => accountFp),
        );
      } catch (error) {
        log.error({ err: error }, "the rare looks could not be brought forward");
      }
    },
    /** Number of subjects of wallet accounts with rare looks. */
    countTrusted: () => trusted.sales.size + trusted.disputes.size,
    stop: (): void => {
      look = undefined;
      soon = undefined;
      for (const throttle of [marks, looks, ...byKind]) throttle.stop();
    },
  };
};
