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
  readonly onBroken: (error: unknown) => void;
}

/** The scheduler's work of every minute, run only when work is due. */
interface Caretaker {
  readonly onChange: (changed: Known, all: ReadonlyMap<string, Known>) => void;
  readonly onStep: (stepped: Known) => void;
  readonly onBots: (all: ReadonlyMap<string, Known>) => void;
  readonly hasEnded: (op: WithdrawOp) => boolean;
}

export const createCaretaker = (needs: CaretakerNeeds): Caretaker => {
  const { time, dice, truth, bots, onBroken } = needs;
  const checking = new Set<Bot>();
  let cancelCheck = (): void => {};

  const nextDueMs = (all: ReadonlyMap<string, Known>): number =>
    Math.min(
      ...[...all.values()].map(({ op }) =>
        CHECKED.has(op.state) ? (op.nextCheckAt?.epochMilliseconds ?? Infinity) : Infinity,
      ),
    );

  const check = (all: ReadonlyMap<string, Known>): void => {
    if (nextDueMs(all) > time.nowMs()) return arm(all);
    const free = bots().filter((bot) => !checking.has(bot));
    const bot = free[dice.between(0, Math.max(free.length - 1, 0))];
    if (bot === undefined) {
      cancelCheck = time.after(5 * SECOND, () => {
        check(all);
      });
      return;
    }
    checking.add(bot);
    bot.money.checkDue(NEVER_ABORTED).then(() => {
      checking.delete(bot);
      arm(all);
    }, onBroken);
  };
  const arm = (all: ReadonlyMap<string, Known>): void => {
    cancelCheck();
    const dueMs = nextDueMs(all);
    if (dueMs === Infinity) return;
    cancelCheck = time.after(dueMs - time.nowMs() + dice.between(0, 200), () => {
      check(all);
    });
  };

  const sweepAfterMs = ({ op, leaseUntilMs }: Known): number | undefined => {
    const draftUntilMs = op.state === "draft" ? op.confirmExpiresAt?.epochMilliseconds : undefined;
    const untilMs = draftUntilMs ?? leaseUntilMs;
    return untilMs === undefined ? undefined : untilMs - time.nowMs();
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
    onStep: (stepped) => {
      const { state } = stepped.op;
      if (state === "confirmed" || state === "sending") tickFor(stepped);
      if (state === "manual") decideLater(stepped);
    },
  };
};
