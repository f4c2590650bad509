import type { Transition } from "#src/withdrawals/withdraw-journal.ts";
import type { NewWithdrawOp, WithdrawOp, WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import { MINUTE } from "#src/shared/time.ts";
import { cents } from "#src/shared/money.ts";
import type { Database } from "#src/schema.ts";
import { type WithdrawJournal, withdrawJournal } from "#src/withdrawals/withdraw-journal.store.ts";
import { testRandom } from "../support/databases.ts";
import { ANA, CHANNEL, GUILD, later, NOON } from "../database/builders.ts";
import type { StoreUnderTest } from "../database/use-store.ts";

export const ACCOUNT = "fingerprint-of-ana";
export const OTHER_ACCOUNT = "fingerprint-of-bruno";
export const PIX_KEY = "52998224725";
export const LEASE_MS = 90_000;

let drafted = 0;

export const newOp = (changes: Partial<NewWithdrawOp> = {}): NewWithdrawOp => {
  drafted += 1;
  return {
    accountFp: ACCOUNT,
    accountId: "account-1",
    guildId: GUILD,
    channelId: CHANNEL,
    ownerId: ANA,
    locale: "pt-BR",
    kind: "normal",
    amount: cents(12_345),
    pixKeyMasked: "***.982.247-**",
    pixKeyHash: "hash-of-the-key",
    recipientId: undefined,
    targetTxid: undefined,
    confirmationsLeft: 1,
    preTxids: undefined,
    preBalance: undefined,
    skewMs: undefined,
    pixKey: PIX_KEY,
    confirmTokenHash: `token-${drafted}`,
    confirmExpiresAt: later(2 * MINUTE),
    ...changes,
  };
};

export const newCancel = (
  targetTxid: string,
  changes: Partial<NewWithdrawOp> = {},
): NewWithdrawOp =>
  newOp({
    kind: "cancel",
    amount: undefined,
    pixKey: "",
    pixKeyMasked: "",
    pixKeyHash: "",
    targetTxid,
    ...changes,
  });

export const newRefund = (
  targetTxid: string,
  changes: Partial<NewWithdrawOp> = {},
): NewWithdrawOp => newCancel(targetTxid, { kind: "refund", amount: cents(7_990), ...changes });

export const journalOf = ({ db, vault, open }: StoreUnderTest, random = testRandom) =>
  withdrawJournal(db, vault, random, open.leaseNow);

export const stepTo = (to: WithdrawState, rest: Partial<Transition> = {}): Transition => ({
  to,
  reason: "test",
  ...rest,
});

/** The states on the way from a draft to each state. */
const WAY: Readonly<Record<WithdrawState, readonly WithdrawState[]>> = {
  draft: [],
  abandoned: ["abandoned"],
  confirmed: ["confirmed"],
  refused_local: ["confirmed", "refused_local"],
  sending: ["confirmed", "sending"],
  rejected: ["confirmed", "sending", "rejected"],
  not_sent: ["confirmed", "sending", "not_sent"],
  unknown: ["confirmed", "sending", "unknown"],
  not_executed: ["confirmed", "sending", "unknown", "not_executed"],
  manual: ["confirmed", "sending", "unknown", "manual"],
  resolved_manual: ["confirmed", "sending", "unknown", "manual", "resolved_manual"],
  accepted: ["confirmed", "sending", "accepted"],
  scheduled: ["confirmed", "sending", "accepted", "scheduled"],
  processing: ["confirmed", "sending", "accepted", "processing"],
  completed: ["confirmed", "sending", "accepted", "completed"],
  failed: ["confirmed", "sending", "accepted", "failed"],
  cancelled: ["confirmed", "sending", "accepted", "cancelled"],
};

/** A step that must succeed. */
export const moved = async (
  journal: WithdrawJournal,
  op: WithdrawOp,
  step: Transition,
  at = NOON,
): Promise<WithdrawOp> => {
  const result = await journal.move(op, step, at);
  if (result.kind !== "moved") throw new Error(`The step to ${step.to} was ${result.kind}`);
  return result.op;
};

/** A new operation moved to a state; `last` is the change of its last step. */
export const opIn = async (
  journal: WithdrawJournal,
  state: WithdrawState,
  changes: Partial<NewWithdrawOp> = {},
  last: NonNullable<Transition["change"]> = {},
  at = NOON,
): Promise<WithdrawOp> => {
  let op = await journal.draft(newOp(changes), at);
  const way = WAY[state];
  for (const [index, to] of way.entries()) {
    const change = index === way.length - 1 ? last : {};
    op = await moved(journal, op, stepTo(to, { change }), at);
  }
  return op;
};

/** Puts an operation into a state without its transitions. */
export const forceState = async (
  db: Database,
  op: WithdrawOp,
  state: WithdrawState,
): Promise<WithdrawOp> => {
  await db.updateTable("withdraw_op").set({ state }).where("id", "=", op.id).execute();
  return { ...op, state };
};
