import { type NewDelivery, referenceOf } from "../../domain/delivery.ts";
import type { Withdrawal } from "../../domain/withdrawal.ts";
import type { MoveResult, WithdrawChange } from "../../domain/withdraw-journal.ts";
import type { WithdrawOp, WithdrawState } from "../../domain/withdraw-op.ts";
import { SECOND } from "../../shared/time.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import { statusOf } from "./withdraw-status.ts";

/** Time for the private reply to be edited first, which makes the direct message needless. */
const PATIENCE_MS = 30 * SECOND;

/** Names the message about one state of an operation, so that it is owed once and can be taken back. */
export const noticeKey = ({ id, state }: Pick<WithdrawOp, "id" | "state">): string =>
  `withdrawal|${id}|${state}`;

/** The direct message about the state that an operation is in. */
export const outcomeNotice = (
  needs: Pick<MoneyNeeds, "notices">,
  op: WithdrawOp,
  withdrawal: Withdrawal | undefined,
  now: Temporal.Instant,
): NewDelivery => {
  const dedupeKey = noticeKey(op);
  return {
    dedupeKey,
    kind: "notice",
    target: { kind: "person", userId: op.ownerId },
    guildId: op.guildId,
    // What became of money is told even when the account was disconnected meanwhile.
    accountId: null,
    payload: needs.notices.outcome({ op, withdrawal, reference: referenceOf(dedupeKey) }),
    notBefore: now.add({ milliseconds: PATIENCE_MS }),
  };
};

/** The operation as it will be after a step, for what is said of it in the same transaction. */
export const opAfter = (
  op: WithdrawOp,
  to: WithdrawState,
  change: WithdrawChange,
  now: Temporal.Instant,
): WithdrawOp => {
  const { confirmTokenHash: _, ...facts } = change;
  // As the journal does: a fact that is not known now leaves the known one standing.
  const known = Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as typeof facts;
  return { ...op, ...known, state: to, version: op.version + 1, updatedAt: now };
};

/** The operation as the journal has it now, after somebody else may have moved it on. */
export const currentOf = async (
  { journal }: Pick<MoneyNeeds, "journal">,
  op: WithdrawOp,
): Promise<WithdrawOp> => (await journal.find(op.id)) ?? op;

export interface Step {
  readonly to: WithdrawState;
  readonly change: WithdrawChange;
  readonly reason: string;
  readonly withdrawal: Withdrawal | undefined;
  /** Whether the owner gets a direct message unless the reply could be edited. */
  readonly tell: boolean;
}

/** What a step came to; `op` is the operation as it stands now. */
export interface Stepped {
  readonly kind: MoveResult["kind"];
  readonly op: WithdrawOp;
}

const DOUBTS: readonly WithdrawState[] = ["unknown", "manual"];

/**
 * Takes back messages which say that the outcome is not known, of states before the one that it is in.
 * @returns whether the owner may have got one of them
 */
export const takeBackDoubts = async (
  needs: Pick<MoneyNeeds, "retract" | "clock">,
  op: Pick<WithdrawOp, "id" | "state">,
): Promise<boolean> => {
  const now = needs.clock.now();
  let isTold = false;
  for (const state of DOUBTS.filter((doubt) => doubt !== op.state)) {
    if (!(await needs.retract(noticeKey({ id: op.id, state }), now))) isTold = true;
  }
  return isTold;
};

/**
 * Edits the private reply, and takes the message back that said the same, unless a message told of a doubt: an edit
 * notifies no person, and the last message would be that doubt. A failure costs nothing: the message goes.
 */
export const show = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  withdrawal: Withdrawal | undefined,
): Promise<void> => {
  try {
    if (!(await needs.show(await statusOf(needs, op, { withdrawal })))) return;
    if (await takeBackDoubts(needs, op)) return;
    await needs.retract(noticeKey(op), needs.clock.now());
  } catch (error) {
    needs.log.warn({ op: op.id, err: error }, "a withdrawal could not be shown");
  }
};

/** What was said of the state before is no longer true: unless it was sent, it stays unsaid. */
const unsay = async (needs: MoneyNeeds, before: WithdrawOp): Promise<void> => {
  try {
    await needs.retract(noticeKey(before), needs.clock.now());
  } catch (error) {
    needs.log.warn({ op: before.id, err: error }, "a message could not be taken back");
  }
};

/** Takes a step that people see: the journal and the message that is owed first, then the private reply. */
export const takeStep = async (needs: MoneyNeeds, op: WithdrawOp, step: Step): Promise<Stepped> => {
  const { to, change, reason, withdrawal, tell } = step;
  const now = needs.clock.now();
  const notices = tell ? [outcomeNotice(needs, opAfter(op, to, change, now), withdrawal, now)] : [];
  const result = await needs.journal.move(op, { to, change, reason, notices }, now);
  if (result.kind !== "moved") {
    return { kind: result.kind, op: await currentOf(needs, op) };
  }
  needs.log.info({ op: op.id, from: op.state, to, reason }, "withdrawal");
  // What says nothing itself leaves standing what is still true: that it was found.
  if (tell || DOUBTS.includes(op.state)) await unsay(needs, op);
  await show(needs, result.op, withdrawal);
  needs.wake();
  return { kind: "moved", op: result.op };
};
