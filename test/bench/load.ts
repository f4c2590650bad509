import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { BenchGateway } from "./bench-gateway.ts";
import { BOTS, type BotName } from "./bench-world.ts";
import type { LoadOrder, LoadResult, Percentiles } from "./load-messages.ts";
import { interactionWriter, snowflake } from "./payloads.ts";

const LOST_AFTER_MS = 10_000;
const STEP_MS = 2;

type ClosedOrder = Extract<LoadOrder, { kind: "closed" }>;
type OpenOrder = Extract<LoadOrder, { kind: "open" }>;

interface Load {
  readonly send: (bot: BotName, userIndex: number) => void;
  readonly acknowledged: (interactionId: string, final: boolean, isRight: boolean) => void;
  readonly finished: (interactionId: string, isRight: boolean) => void;
  /** Resolves with the `performance.now()` of the next acknowledgement. */
  readonly nextAck: () => Promise<number>;
  readonly closed: (order: ClosedOrder) => Promise<LoadResult>;
  readonly open: (order: OpenOrder) => Promise<LoadResult>;
}

/** Sends interactions and times their answers. Supports one run at a time. */
export const createLoad = (gateway: BenchGateway): Load => {
  const writers = {
    ours: interactionWriter(BOTS.ours),
    yardstick: interactionWriter(BOTS.yardstick),
  };
  const sentAt = new Map<string, number>();
  let acks: number[] = [];
  let finals: number[] = [];
  let wrong = 0;
  let sequence = 0;
  let onAck: ((at: number) => void) | undefined;
  let onFinished: (() => void) | undefined;

  const send = (bot: BotName, userIndex: number): void => {
    const id = snowflake(performance.timeOrigin + performance.now(), ++sequence);
    sentAt.set(id, performance.now());
    gateway.dispatch(bot, "INTERACTION_CREATE", writers[bot](id, userIndex));
  };
  const finished = (id: string, isRight: boolean): void => {
    const start = sentAt.get(id);
    if (start === undefined) return;
    sentAt.delete(id);
    if (isRight) finals.push(performance.now() - start);
    else wrong++;
    onFinished?.();
  };
  const acknowledged = (id: string, final: boolean, isRight: boolean): void => {
    const now = performance.now();
    onAck?.(now);
    onAck = undefined;
    const start = sentAt.get(id);
    if (start !== undefined) acks.push(now - start);
    if (final) finished(id, isRight);
  };
  const begin = (): void => {
    sentAt.clear();
    acks = [];
    finals = [];
    wrong = 0;
  };
  const result = (sent: number, seconds: number): LoadResult => ({
    sent,
    finished: finals.length,
    lost: sentAt.size + wrong,
    seconds,
    ackMs: percentiles(acks),
    finalMs: percentiles(finals),
  });
  /** Resolves when the queue is empty, or gives up on the rest after `LOST_AFTER_MS`. */
  const drained = async (): Promise<void> => {
    const limit = performance.now() + LOST_AFTER_MS;
    while (sentAt.size > 0 && performance.now() < limit) await pause(STEP_MS);
  };

  return {
    send,
    acknowledged,
    finished,
    nextAck: () =>
      new Promise((resolve) => {
        onAck = resolve;
      }),
    closed: async ({ bot, inFlight, seconds, total = Infinity, firstUser, users }) => {
      begin();
      const over = Promise.withResolvers<void>();
      const start = performance.now();
      const timer = setTimeout(over.resolve, seconds * 1000);
      let sent = 0;
      const next = (): void => {
        if (sent < total) send(bot, (firstUser + sent++) % users);
        else if (sentAt.size === 0) over.resolve();
      };
      onFinished = next;
      for (let i = 0; i < inFlight; i++) next();
      await over.promise;
      onFinished = undefined;
      clearTimeout(timer);
      const inTime = finals.length;
      const elapsed = (performance.now() - start) / 1000;
      await drained();
      return { ...result(sent, elapsed), finished: inTime };
    },
    open: async ({ bot, perSecond, seconds, firstUser, users }) => {
      begin();
      const start = performance.now();
      const total = perSecond * seconds;
      let sent = 0;
      while (sent < total) {
        const due = Math.min(total, ((performance.now() - start) * perSecond) / 1000 + 1);
        while (sent < due) send(bot, (firstUser + sent++) % users);
        await pause(STEP_MS);
      }
      await drained();
      return result(sent, (performance.now() - start) / 1000);
    },
  };
};

const percentiles = (values: readonly number[]): Percentiles => {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
};
