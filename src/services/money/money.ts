import type { Account } from "../../domain/account.ts";
import type { Secret } from "../../shared/secret.ts";
import { createBalanceService } from "./balance.ts";
import { watchGhosts } from "./ghost-watch.ts";
import { createJustUsed } from "./just-used.ts";
import { type CheckDue, createCheckDue } from "./money-due.ts";
import { createGuardsService } from "./money-guards.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { BalanceService, GuardsService, WithdrawalsService } from "./money-services.ts";
import { createPins } from "./pin.ts";
import { sweepMoney } from "./money-sweep.ts";
import { acknowledgeRestore } from "./restore-check.ts";
import { forgetKey, savedKeys, saveKey } from "./saved-keys.ts";
import { switchSpeed } from "./withdraw-ask.ts";
import { prepareCancel } from "./withdraw-cancel.ts";
import { checkWithdrawal } from "./withdraw-check.ts";
import { type ConfirmMemory, confirmWithdrawal } from "./withdraw-confirm.ts";
import { listWithdrawals, suggestWithdrawals, withdrawalDetail } from "./withdraw-list.ts";
import { decideManual } from "./withdraw-manual.ts";
import { prepareWithdrawal } from "./withdraw-prepare.ts";
import { abandonDraft, chooseKeyType, redoOrder } from "./withdraw-question.ts";

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
  readonly watchGhosts: (account: Account, apiKey: Secret) => Promise<void>;
}

const createWithdrawalsService = (
  needs: MoneyNeeds,
  memory: ConfirmMemory,
): WithdrawalsService => ({
  prepare: (order) => prepareWithdrawal(needs, order),
  chooseKeyType: (actor, token, type) => chooseKeyType(needs, actor, token, type),
  switchSpeed: (actor, token) => switchSpeed(needs, memory.justUsed, actor, token),
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
    justUsed: createJustUsed(needs.clock),
    unrecorded: new Map(),
    pins: createPins(needs),
  };
  return {
    withdrawals: createWithdrawalsService(needs, memory),
    balance: createBalanceService(needs),
    guards: createGuardsService(needs, memory.pins),
    sweep: (everything) => sweepMoney(needs, memory.unrecorded, everything),
    checkDue: createCheckDue(needs),
    watchGhosts: (account, apiKey) => watchGhosts(needs, account, apiKey),
  };
};
