import type { PixKey } from "../../domain/pix-key.ts";
import type { SeenPixKey } from "../../domain/money-stores.ts";
import { isNight, quoteOf, recentWithdrawal, underWay } from "../../domain/withdraw-limits.ts";
import { isSplit, isTurbo, type WithdrawKind, type WithdrawOp } from "../../domain/withdraw-op.ts";
import type { PixKeyCheck, WithdrawalPage } from "../../domain/withdrawal.ts";
import { DAY } from "../../shared/time.ts";
import { Secret } from "../../shared/secret.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Confirmation } from "./money-services.ts";

type AskedTwice = Confirmation["askedTwice"][number];

/** Why one click is not enough. */
export const askedTwice = (facts: {
  readonly kind: WithdrawKind;
  readonly key: PixKey;
  readonly seen: SeenPixKey;
  readonly listRead: boolean;
}): readonly AskedTwice[] => {
  const reasons: readonly (readonly [AskedTwice, boolean])[] = [
    ["new_key", facts.seen.lastUsedAt === undefined],
    ["unreadable_list", !facts.listRead],
    ["split", isSplit(facts.kind)],
    ["suspect_key", facts.key.suspect],
  ];
  return reasons.filter(([, holds]) => holds).map(([reason]) => reason);
};

export interface ConfirmationFacts {
  readonly op: WithdrawOp;
  readonly token: string;
  readonly expiresAt: Temporal.Instant;
  readonly key: PixKey;
  readonly seen: SeenPixKey;
  readonly holder: PixKeyCheck | undefined;
  readonly hasPin: boolean;
  /** The service's list as it was just read; undefined when it could not be. */
  readonly page: WithdrawalPage | undefined;
  readonly sentMeanwhile: boolean;
}

const quotesOf = ({ amount, kind }: WithdrawOp): Confirmation["quotes"] => {
  if (amount === undefined || isSplit(kind) || kind === "cancel") return undefined;
  const turbo = isTurbo(kind);
  return { chosen: quoteOf(amount, turbo), other: quoteOf(amount, !turbo) };
};

/** What the person reads before a withdrawal, as far as it is known. */
export const confirmationOf = async (
  needs: MoneyNeeds,
  facts: ConfirmationFacts,
): Promise<Confirmation> => {
  const { op, key, seen, holder, page, sentMeanwhile } = facts;
  const { journal } = needs;
  const now = needs.clock.now();
  const { accountFp, ownerId, recipientId } = op;
  const open = await journal.openOf(accountFp);
  return {
    kind: "confirmation",
    op,
    token: facts.token,
    expiresAt: facts.expiresAt,
    confirmationsLeft: op.confirmationsLeft,
    askedTwice: askedTwice({ kind: op.kind, key, seen, listRead: op.preTxids !== undefined }),
    // Asked for once, with the click that sends.
    pinRequired: facts.hasPin && op.confirmationsLeft === 1,
    pixKey: { value: new Secret(key.value), type: key.type, suspect: key.suspect },
    holderName: holder?.holderName,
    bankName: holder?.bankName,
    quotes: quotesOf(op),
    available: op.preBalance,
    sentMeanwhile,
    underWay: underWay(open, page, await journal.claimedTxids(accountFp), ownerId),
    recent: recentWithdrawal(await journal.lastSentAt(accountFp), page, now),
    nextAllowedAt: now.add({ milliseconds: DAY }),
    night: isNight(now),
    lastSplitBalance:
      recipientId === undefined
        ? undefined
        : await needs.splitBalances.last(accountFp, recipientId),
    keySaved: seen.saved,
  };
};
