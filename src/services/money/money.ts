import type { Account } from "../../domain/account.ts";
import type { Secret } from "../../shared/secret.ts";
import { createBalanceService } from "./balance.ts";
import { watchExternalWithdrawals } from "./external-withdrawals.ts";
import {
  type ConfirmMemory,
  confirmWithdrawal,
  createRecentConfirmations,
  switchSpeed,
} from "./withdraw-confirm.ts";
import { type CheckDue, checkWithdrawal, createCheckDue, decideManual } from "./withdraw-check.ts";
import { createGuardsService, createPins } from "./money-guards.ts";
import type {
  BalanceService,
  GuardsService,
  MoneyNeeds,
  WithdrawalsService,
} from "./money-services.ts";
import { acknowledgeRestore } from "./restore-check.ts";
import { forgetKey, savedKeys, saveKey } from "./saved-keys.ts";
import { prepareCancel } from "./withdraw-cancel.ts";
import { listWithdrawals, suggestWithdrawals, withdrawalDetail } from "./withdraw-list.ts";
import { abandonDraft, chooseKeyType, prepareWithdrawal, redoOrder } from "./withdraw-prepare.ts";
import type { NewDelivery } from "../../domain/delivery.ts";
import { isHeld, type WithdrawOp } from "../../domain/withdraw-op.ts";
import { recordAnswer, type Unrecorded } from "./withdraw-send.ts";
import { outcomeNotice, show } from "./withdraw-transition.ts";

/** All of money: what people ask for, and what follows it to its end. */
export interface Money {
  readonly withdrawals: WithdrawalsService;
  readonly balance: BalanceService;
  readonly guards: GuardsService;
  /**
   * Ends what dead processes left. `everything`: no other process can be alive, as at the start on SQLite, and never
   * while this one already serves people.
   */
  readonly sweep: (everything: boolean) => Promise<void>;
  /** All checks that are due now; resolves to when the next one is due. */
  readonly checkDue: CheckDue;
  /** Looks once for withdrawals of an account that the bot did not begin. */
  readonly watchExternal: (account: Account, apiKey: Secret) => Promise<void>;
}

const createWithdrawalsService = (
  needs: MoneyNeeds,
  memory: ConfirmMemory,
): WithdrawalsService => ({
  prepare: (order) => prepareWithdrawal(needs, order),
  chooseKeyType: (actor, token, type) => chooseKeyType(needs, actor, token, type),
  switchSpeed: (actor, token) => switchSpeed(needs, memory.recentConfirmations, actor, token),
  redo: (actor, opId) => redoOrder(needs, actor, opId),
  confirm: (actor, token, pin) => confirmWithdrawal(needs, memory, actor, token, pin),
  abandon: (actor, token) => abandonDraft(needs, actor, token),
  list: (actor, states) => listWithdrawals(needs, actor, states),
  detail: (actor, id) => withdrawalDetail(needs, actor, id),
  check: (actor, opId) => checkWithdrawal(needs, actor, opId),
  prepareCancel: (actor, txid) => prepareCancel(needs, actor, txid),
  decide: (decision) => decideManual(needs, decision),
  acknowledgeRestore: (actor, answerId) => acknowledgeRestore(needs, actor, answerId),
  saveKey: (actor, opId) => saveKey(needs, actor, opId),
  savedKeys: (actor, typed) => savedKeys(needs, actor, typed),
  forgetKey: (actor, handle) => forgetKey(needs, actor, handle),
  suggestWithdrawals: (actor, typed) => suggestWithdrawals(needs, actor, typed),
});

/** Money with all that it needs. It remembers nothing that the journal does not know better. */
export const createMoney = (needs: MoneyNeeds): Money => {
  const memory: ConfirmMemory = {
    recentConfirmations: createRecentConfirmations(needs.clock),
    unrecorded: new Map(),
    pins: createPins(needs),
  };
  return {
    withdrawals: createWithdrawalsService(needs, memory),
    balance: createBalanceService(needs),
    guards: createGuardsService(needs, memory.pins),
    sweep: (everything) => sweepMoney(needs, memory.unrecorded, everything),
    checkDue: createCheckDue(needs),
    watchExternal: (account, apiKey) => watchExternalWithdrawals(needs, account, apiKey),
  };
};

/** What a person who confirmed never heard of. */
const sweptNotice = (needs: MoneyNeeds, op: WithdrawOp): readonly NewDelivery[] => {
  const now = needs.clock.now();
  return [outcomeNotice(needs, op, undefined, now)];
};

/** Answers that this process knows and the database would not take before. */
const recordLeft = async (needs: MoneyNeeds, unrecorded: Unrecorded): Promise<void> => {
  for (const { op, answer } of unrecorded.values()) {
    try {
      const recorded = await recordAnswer(needs, op, answer, unrecorded);
      // Its step to `sending` was not made after all: the sweep ends it with its lease.
      if (isHeld(recorded.state)) continue;
      // Whoever confirmed was told that nobody knows.
      const now = needs.clock.now();
      await needs.enqueue(outcomeNotice(needs, recorded, undefined, now), now);
      await show(needs, recorded, undefined);
    } catch (error) {
      // It is still in mind, and after its lease reading tells the truth.
      needs.log.error({ op: op.id, err: error }, "an answer could still not be recorded");
    }
  }
};

/** Ends what nobody goes on with: steps of dead processes, and drafts whose confirmation expired. */
const sweepMoney = async (
  needs: MoneyNeeds,
  unrecorded: Unrecorded,
  everything: boolean,
): Promise<void> => {
  await recordLeft(needs, unrecorded);
  const { journal, clock, log } = needs;
  const swept = await journal.sweep(everything, clock.now(), (op) => sweptNotice(needs, op));
  for (const op of swept) {
    log.warn({ op: op.id, to: op.state }, "a withdrawal was left by its process");
    await show(needs, op, undefined);
  }
  if (swept.length > 0) needs.wake();
  const expired = await journal.abandonExpired(clock.now());
  await Promise.all(expired.map((op) => show(needs, op, undefined)));
};

/** How many operations are in each open state, and for how long the oldest one without a known outcome waits. */
export const countByState = async ({
  journal,
  clock,
}: Pick<MoneyNeeds, "journal" | "clock">): Promise<{
  readonly byState: Readonly<Record<string, number>>;
  readonly oldestUnknownMs: number;
}> => {
  const { byState, oldestUnknownSince } = await journal.census();
  const sinceMs = oldestUnknownSince?.epochMilliseconds;
  const nowMs = clock.now().epochMilliseconds;
  return { byState, oldestUnknownMs: sinceMs === undefined ? 0 : Math.max(nowMs - sinceMs, 0) };
};
