import { setTimeout as pause } from "node:timers/promises";
import { reconnectDelayMs } from "../shared/backoff.ts";
import { SECOND } from "../shared/duration.ts";
import type { Logger } from "../shared/log.ts";
import type { Random } from "../shared/random.ts";

/** People are told to try again in a minute: by then the database was asked several times. */
const LONGEST_WAIT_MS = 10 * SECOND;

/** Whether a database across a network answers, as far as its connections tell. */
export interface DatabasePresence {
  /** While it is true only this part connects, so that a server that starts is not run over. */
  readonly isAway: () => boolean;
  /** A connection broke or could not be made: the database is asked at once, and with growing waits until it answers. */
  readonly doubt: (error: unknown) => void;
  /** Called each time that it answers again after it was away. */
  readonly onReturn: (listener: () => void) => void;
  readonly stop: () => void;
}

/** `ask` connects anew, and rejects while the database cannot be worked with. */
export const watchPresence = (parts: {
  readonly ask: () => Promise<void>;
  readonly log: Logger;
  readonly random: Random;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}): DatabasePresence => {
  const { ask, log, random } = parts;
  const wait = parts.wait ?? (async (ms, signal) => await pause(ms, undefined, { signal }));
  const stopping = new AbortController();
  const listeners: (() => void)[] = [];
  let asking = false;
  let away = false;

  const answers = async (): Promise<boolean> => {
    try {
      await ask();
      return true;
    } catch (error) {
      if (stopping.signal.aborted) return false;
      if (!away) log.error({ err: error }, "the database is away");
      away = true;
      return false;
    }
  };

  const askUntilItAnswers = async (doubt: unknown): Promise<void> => {
    for (let failures = 1; !(await answers()); failures++) {
      await wait(reconnectDelayMs(failures, random.fraction(), LONGEST_WAIT_MS), stopping.signal);
    }
    if (stopping.signal.aborted) return;
    if (!away) {
      log.warn({ err: doubt }, "a database connection was lost, and others can be made");
      return;
    }
    away = false;
    log.warn("the database answers again");
    for (const listener of listeners) listener();
  };

  return {
    isAway: () => away,
    doubt: (error) => {
      if (asking || stopping.signal.aborted) return;
      asking = true;
      // Rejects only when it is stopped.
      askUntilItAnswers(error)
        .catch(() => {})
        .finally(() => {
          asking = false;
        });
    },
    onReturn: (listener) => void listeners.push(listener),
    stop: () => stopping.abort(),
  };
};
