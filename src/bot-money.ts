import { pauseRefusedKey, resumeKeyOf } from "./accounts/account-notices.job.ts";
import { createBalanceService } from "./balance/balance.service.ts";
import { watchExternalWithdrawals } from "./withdrawals/external-withdrawals.service.ts";
import {
  type ConfirmMemory,
  type ConfirmNeeds,
  confirmWithdrawal,
  switchSpeed,
} from "./withdrawals/withdraw-confirm.service.ts";
import {
  checkWithdrawal,
  createCheckDue,
  decideManual,
  opToDecide,
  ownOp,
} from "./withdrawals/withdraw-check.service.ts";
import { createGuardsService, createPins } from "./money-guards/money-guards.service.ts";
import type { Actor, MoneyNeeds } from "./withdrawals/money-services.service.ts";
import { acknowledgeRestore } from "./withdrawals/restore/restore-check.service.ts";
import { prepareCancel } from "./withdrawals/withdraw-cancel.service.ts";
import { createContestedTxids } from "./disputes/contested-sales.ts";
import { prepareRefund } from "./withdrawals/refunds/withdraw-refund.service.ts";
import {
  listWithdrawals,
  suggestWithdrawals,
  withdrawalDetail,
} from "./withdrawals/withdraw-list.service.ts";
import {
  abandonDraft,
  chooseKeyType,
  prepareWithdrawal,
  redoOrder,
} from "./withdrawals/withdraw-prepare.service.ts";
import { isHeld, type WithdrawOp } from "./withdrawals/withdraw-op.ts";
import { recordAnswer, type Unrecorded } from "./withdrawals/withdraw-send.service.ts";
import {
  noteAnswered,
  outcomeDelivery,
  quietly,
  show,
} from "./withdrawals/withdraw-transition.service.ts";
import type { LiveReplies } from "./discord/live-replies.ts";
import type { Gauges } from "./health/prometheus.ts";
import { guardNotice } from "./money-guards/money-guards.view.ts";
import type { Stores } from "./stores.ts";
import { outcomeNotice } from "./withdrawals/outcome-notice.view.ts";
import { withdrawStatusView } from "./withdrawals/withdraw-status.view.ts";
import { liveName } from "./withdrawals/withdraw-buttons.view.ts";
import { restoredNotice } from "./withdrawals/restore/restore-question.view.ts";
import { externalWithdrawalNotice } from "./withdrawals/external-withdrawal.view.ts";
import type { Suggestion } from "./ui/reply.ts";
import { UserError } from "./shared/errors.ts";
import { keyOfOp, savedKeyHandle, savedKeyValue } from "./withdrawals/withdraw-account.service.ts";
import { readableMask, storedPixKey } from "./withdrawals/pix-key.ts";
import { withdrawalTexts } from "./withdrawals/texts.ts";
import { together } from "./ui/format.ts";
import { READING_MS } from "./withdrawals/withdraw-draft.service.ts";

const createWithdrawalsService = (needs: ConfirmNeeds) =>
  ({
    prepare: prepareWithdrawal.bind(undefined, needs),
    chooseKeyType: chooseKeyType.bind(undefined, needs),
    switchSpeed: switchSpeed.bind(undefined, needs),
    redo: redoOrder.bind(undefined, needs),
    confirm: confirmWithdrawal.bind(undefined, needs),
    /** Discord took the answer that shows the operation like this. */
    answered: async (op: WithdrawOp) => await quietly(needs, op, noteAnswered(needs, op)),
    abandon: abandonDraft.bind(undefined, needs),
    list: listWithdrawals.bind(undefined, needs),
    detail: withdrawalDetail.bind(undefined, needs),
    check: checkWithdrawal.bind(undefined, needs),
    prepareCancel: prepareCancel.bind(undefined, needs),
    prepareRefund: prepareRefund.bind(undefined, needs),
    /** Whether withdrawals are made here at all, and payments refunded. */
    withdrawEnabled: needs.withdrawEnabled,
    refundEnabled: needs.refundEnabled,
    toDecide: opToDecide.bind(undefined, needs),
    decide: decideManual.bind(undefined, needs),
    acknowledgeRestore: acknowledgeRestore.bind(undefined, needs),
    saveKey: saveKey.bind(undefined, needs),
    savedKeys: savedKeys.bind(undefined, needs),
    forgetKey: forgetKey.bind(undefined, needs),
    suggestWithdrawals: suggestWithdrawals.bind(undefined, needs),
  }) as const;

export type Money = ReturnType<typeof createMoney>;

export const createMoney = (given: MoneyNeeds) => {
  const memory: ConfirmMemory = {
    recentConfirmations: new Map(),
    unrecorded: new Map(),
    pins: createPins(given),
  };
  const needs: ConfirmNeeds = { ...given, memory };
  return {
    withdrawals: createWithdrawalsService(needs),
    balance: createBalanceService(needs),
    guards: createGuardsService(needs, memory.pins),
    sweep: sweepMoney.bind(undefined, needs),
    checkDue: createCheckDue(needs),
    watchExternal: watchExternalWithdrawals.bind(undefined, needs),
    /** Edits the operation's private replies of this process to its present state. */
    showAgain: async (op: WithdrawOp) => await show(needs, op, undefined),
  } as const;
};

type MoneyHost = Pick<
  MoneyNeeds,
  | "clock"
  | "monotonicMs"
  | "random"
  | "log"
  | "wallet"
  | "withdrawEnabled"
  | "refundEnabled"
  | "wake"
>;

/** The needs of money over these stores. `given` may also replace parts that the stores provide. */
export const moneyNeeds = (
  stores: Stores,
  given: MoneyHost & Pick<MoneyNeeds, "show"> & Partial<MoneyNeeds>,
): MoneyNeeds => ({
  ...stores,
  ...stores.accounts,
  resume: resumeKeyOf(stores.accounts, given.clock),
  hashPixKey: stores.vault.hashPixKey,
  hashToken: stores.vault.hashToken,
  notices: {
    outcome: outcomeNotice,
    external: externalWithdrawalNotice,
    guard: guardNotice,
    restored: restoredNotice,
  },
  contestedTxids: createContestedTxids(),
  readingMs: READING_MS,
  retract: stores.outbox.cancelUnsent,
  refusedOf: stores.outbox.refusedOf,
  enqueue: stores.outbox.enqueue,
  pauseRefusedKey: async (account, error) => {
    const { clock, log, wake: onOwed } = given;
    const route = await stores.routes.find(account.guildId);
    await pauseRefusedKey({ ...stores, clock, log, onOwed }, account, route?.locale, error);
  },
  ...given,
});

/** Money in a process of the bot, which edits the private replies that it still may. */
export const createBotMoney = ({
  stores,
  live,
  ...host
}: MoneyHost & {
  readonly stores: Stores;
  readonly live: Pick<LiveReplies, "edit">;
}): Money =>
  createMoney(
    moneyNeeds(stores, {
      ...host,
      show: async (status) => {
        const { op } = status;
        const edit = (isElsewhere: boolean): Promise<boolean> =>
          live.edit(liveName(op, isElsewhere), (isDirect) =>
            withdrawStatusView({ ...status, isElsewhere }, op.locale, !isDirect),
          );
        const isLive = await Promise.all([edit(false), edit(true)]);
        return isLive.includes(true);
      },
    }),
  );

/** Retries answers of the service that the database has not taken yet. */
const retryUnrecorded = async (needs: MoneyNeeds, unrecorded: Unrecorded): Promise<void> => {
  // A copy: an answer that is kept again would come up once more.
  for (const { op, answer } of new Map(unrecorded).values()) {
    try {
      const recorded = await recordAnswer(needs, op, answer, unrecorded);
      // The step to `sending` was never committed: the sweep ends the operation when its lease ends.
      if (isHeld(recorded.state)) continue;
      // The person was told that the outcome is unknown.
      const now = needs.clock.now();
      await needs.enqueue(outcomeDelivery(needs, recorded, undefined, now), now);
      await show(needs, recorded, undefined);
    } catch (error) {
      // The answer stays in memory, until its message is kept too; after the lease, reading the service finds the outcome.
      unrecorded.set(op.id, { op, answer });
      needs.log.error({ op: op.id, err: error }, "an answer could still not be recorded");
    }
  }
};

/**
 * Ends the steps of dead processes, and drafts whose confirmation expired. `everything` ends all open steps: only for
 * a start on SQLite, where no other process can be alive, and before this process serves people.
 */
const sweepMoney = async (needs: ConfirmNeeds, everything: boolean): Promise<void> => {
  await retryUnrecorded(needs, needs.memory.unrecorded);
  const { journal, clock, log } = needs;
  const swept = await journal.sweep(everything, clock.now(), (op) => [
    outcomeDelivery(needs, op, undefined, clock.now()),
  ]);
  for (const op of swept) {
    log.warn({ op: op.id, to: op.state }, "a withdrawal was left by its process");
    await show(needs, op, undefined);
  }
  if (swept.length > 0) needs.wake();
  const expired = await journal.abandonExpired(clock.now());
  await Promise.all(expired.map((op) => show(needs, op, undefined)));
};

/** Counts operations by open state, and measures how long the oldest unknown outcome has waited. */
export const countByState = async ({
  journal,
  clock,
}: Pick<MoneyNeeds, "journal" | "clock">): ReturnType<Gauges["withdrawals"]> => {
  const { byState, oldestUnknownSince } = await journal.counts();
  const sinceMs = oldestUnknownSince?.epochMilliseconds;
  const nowMs = clock.now().epochMilliseconds;
  return { byState, oldestUnknownMs: sinceMs === undefined ? 0 : Math.max(nowMs - sinceMs, 0) };
};

/**
 * Saves the key of an operation among the owner's keys. Without a connection it would stay for ever.
 * @throws UserError withdrawal_not_found, pix_key_gone, not_connected
 */
const saveKey = async (
  needs: MoneyNeeds,
  actor: Actor,
  opId: string,
): Promise<{ readonly masked: string }> => {
  const op = await ownOp(needs, actor, opId);
  const key = await keyOfOp(needs, op);
  if (key === undefined) throw new UserError({ kind: "pix_key_gone" });
  if ((await needs.ofOwner(op.ownerId)).length === 0)
    throw new UserError({ kind: "not_connected" });
  const { pixKeyHash: hash, pixKeyMasked: masked } = op;
  const { type, value } = key;
  await needs.pixKeys.save(op.ownerId, { hash, masked, type, value }, needs.clock.now());
  if (!(await needs.pixKeys.stay(op.ownerId))) throw new UserError({ kind: "not_connected" });
  return { masked };
};

/** Keys of one person that are opened for one list. */
const MOST_OPENED = 50;

/**
 * Saved keys as suggestions for their owner alone: the name is a readable mask with the type, the value an opaque handle
 * for `prepareWithdrawal`. The typed text may be part of the key itself.
 */
const savedKeys = async (
  needs: Pick<MoneyNeeds, "pixKeys">,
  { userId, locale }: Pick<Actor, "userId" | "locale">,
  typed: string,
): Promise<readonly Suggestion[]> => {
  const { keyTypes } = withdrawalTexts(locale).withdraw;
  const saved = await needs.pixKeys.saved(userId);
  const wanted = typed.trim().toLowerCase();
  const keys = await Promise.all(
    saved.map(async ({ handle, masked, type }, index) => {
      // A key that cannot be opened is refused where it is used.
      const opened = index < MOST_OPENED ? needs.pixKeys.reveal(userId, handle) : undefined;
      const value = await opened?.catch(() => undefined);
      const key = value === undefined ? undefined : storedPixKey(value);
      const mask = key === undefined || key.suspect ? masked : readableMask(key);
      const name = together(mask, keyTypes[type]);
      return { name, handle, text: `${name} ${masked} ${value ?? ""}`.toLowerCase() };
    }),
  );
  /** By the order of the handles: that of the last use would hand a key's number to another. */
  const numbered = ({
    name,
    handle,
  }: {
    readonly name: string;
    readonly handle: string;
  }): string => {
    const alike = keys.filter((each) => each.name === name).map((each) => each.handle);
    const nth = alike.toSorted().indexOf(handle) + 1;
    return nth === 1 ? name : together(name, String(nth));
  };
  return keys
    .filter(({ text }) => text.includes(wanted))
    .map((each) => ({ name: numbered(each), value: savedKeyValue(each.handle) }));
};

/** Deletes a saved key by its suggestion's value; false when it was gone. The key still counts as used before. */
const forgetKey = async (
  needs: Pick<MoneyNeeds, "pixKeys">,
  actor: Pick<Actor, "userId">,
  value: string,
): Promise<boolean> => await needs.pixKeys.forget(actor.userId, savedKeyHandle(value));
