import { LONGEST_UNKNOWN_WAIT_MS, LONGEST_WAIT_MS } from "#src/withdrawals/check-schedule.ts";
import { isFinal, type WithdrawOp, type WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import { MINUTE, SECOND } from "#src/shared/time.ts";
import type { Bot } from "./bot.ts";
import type { Dice } from "../dice.ts";
import type { Known } from "./judge.ts";
import type { People } from "./people.ts";
import type { Truth } from "./truth.ts";
import type { VirtualTime } from "../virtual-time.ts";

const CHECKED: ReadonlySet<WithdrawState> = new Set([
  "accepted",
  "scheduled",
  "processing",
  "unknown",
  "manual",
]);
const NEVER_ABORTED = new AbortController().signal;

interface CaretakerNeeds {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly truth: Truth;
  readonly bots: () => readonly Bot[];
  readonly people: () => People;
  readonly violate: (rule: string, why: string) => void;
  readonly onBroken: (error: unknown) => void;
}

/** The scheduler's work of every minute, run only when work is due. */
interface Caretaker {
  readonly onChange: (changed: Known, all: ReadonlyMap<string, Known>) => void;
  readonly onStep: (stepped: Known) => void;
  readonly onBots: (all: ReadonlyMap<string, Known>) => void;
  /** The bot's clock was set. */
  readonly onClock: (all: ReadonlyMap<string, Known>) => void;
  readonly hasEnded: (op: WithdrawOp) => boolean;
}

export const createCaretaker = (needs: CaretakerNeeds): Caretaker => {
  const { time, dice, truth, bots, violate, onBroken } = needs;
  const checking = new Set<Bot>();
  let cancelCheck = (): void => {};

  const clockMs = (): number => time.clock.now().epochMilliseconds;
  /** By the bot's clock. What a clock that was set back put off is due at the next beat. */
  const dueMs = ({ state, nextCheckAt }: WithdrawOp): number =>
    CHECKED.has(state) ? (nextCheckAt?.epochMilliseconds ?? Infinity) : Infinity;
  const waitsTooLong = (op: WithdrawOp): boolean => {
    const mostMs = op.state === "unknown" ? LONGEST_UNKNOWN_WAIT_MS : LONGEST_WAIT_MS;
    return dueMs(op) !== Infinity && dueMs(op) - clockMs() > mostMs;
  };
  const nextDueMs = (all: ReadonlyMap<string, Known>): number =>
    Math.min(
      ...[...all.values()].map(({ op }) => (waitsTooLong(op) ? clockMs() + MINUTE : dueMs(op))),
    );

  const check = (all: ReadonlyMap<string, Known>, isBeat = false): void => {
    if (!isBeat && nextDueMs(all) > clockMs()) return arm(all);
    const free = bots().filter((bot) => !checking.has(bot));
    const bot = free[dice.between(0, Math.max(free.length - 1, 0))];
    if (bot === undefined) {
      cancelCheck = time.after(5 * SECOND, () => {
        check(all, isBeat);
      });
      return;
    }
    checking.add(bot);
    const putOff = [...all.values()].map(({ op }) => op).filter(waitsTooLong);
    bot.money.checkDue(NEVER_ABORTED).then(() => {
      checking.delete(bot);
      for (const { id, nextCheckAt } of putOff) {
        const op = all.get(id)?.op;
        if (op === undefined || !waitsTooLong(op) || nextCheckAt !== op.nextCheckAt) continue;
        violate("M5", `${id} waits for a time from before the clock was set back`);
      }
      arm(all);
    }, onBroken);
  };
  const arm = (all: ReadonlyMap<string, Known>): void => {
    cancelCheck();
    const nextMs = nextDueMs(all);
    if (nextMs === Infinity) return;
    const isPutOff = [...all.values()].some(({ op }) => waitsTooLong(op));
    cancelCheck = time.after(nextMs - clockMs() + dice.between(0, 200), () => {
      check(all, isPutOff);
    });
  };

  const sweepAfterMs = ({ op, leaseUntilMs }: Known): number | undefined => {
    const draftUntilMs = op.state === "draft" ? op.confirmExpiresAt?.epochMilliseconds : undefined;
    if (draftUntilMs !== undefined) return draftUntilMs - clockMs();
    return leaseUntilMs === undefined ? undefined : leaseUntilMs - time.nowMs();
  };
  const tickFor = (known: Known): void => {
    const leftMs = sweepAfterMs(known);
    if (leftMs === undefined) return;
    time.after(Math.max(leftMs, 0) + dice.between(0, MINUTE), () => {
      const stillMs = sweepAfterMs(known);
      const bot = bots()[dice.between(0, Math.max(bots().length - 1, 0))];
      if (stillMs !== undefined && stillMs <= 0) bot?.money.sweep(false).catch(onBroken);
      tickFor(known);
    });
  };

  /** The owner reads the bank statement, which is the truth, and answers accordingly. */
  const decideLater = (known: Known): void => {
    time.after(dice.spread(MINUTE, truth.terms.bounds.ownerAwayMs), () => {
      if (known.op.state !== "manual") return;
      const { id, ownerId, kind } = known.op;
      const happened = kind === "cancel" ? known.cancelled > 0 : truth.executedFor(id).length > 0;
      void needs.people().decide(ownerId, id, happened);
      decideLater(known);
    });
  };

  return {
    hasEnded: ({ state }) => isFinal(state),
    onChange: (changed, all) => {
      if (changed.op.state === "draft" && changed.op.version === 0) tickFor(changed);
      arm(all);
    },
    onBots: arm,
    onClock: arm,
    onStep: (stepped) => {
      const { state } = stepped.op;
      if (state === "confirmed" || state === "sending") tickFor(stepped);
      if (state === "manual") decideLater(stepped);
    },
  };
};
