import type { PixKey } from "../../domain/pix-key.ts";
import type { SeenPixKey } from "../../domain/money-stores.ts";
import { allowedFrom, isNight } from "../../domain/withdraw-limits.ts";
import { isSplit, isTurbo, type WithdrawKind, type WithdrawOp } from "../../domain/withdraw-op.ts";
import { quoteOf } from "../../domain/withdraw-quote.ts";
import type { PixKeyCheck } from "../../domain/withdrawal.ts";
import { DAY } from "../../shared/duration.ts";
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
  const { op, key, seen, holder } = facts;
  const now = needs.clock.now();
  const { accountFp, recipientId } = op;
  return {
    kind: "confirmation",
    op,
    token: facts.token,
    expiresAt: facts.expiresAt,
    confirmationsLeft: op.confirmationsLeft,
    askedTwice: askedTwice({ kind: op.kind, key, seen, listRead: op.preTxids !== undefined }),
    // Asked for once, with the click that sends.
    pinRequired: facts.hasPin && op.confirmationsLeft === 1,
    pixKey: { masked: op.pixKeyMasked, type: key.type, suspect: key.suspect },
    holderName: holder?.holderName,
    bankName: holder?.bankName,
    quotes: quotesOf(op),
    available: op.preBalance,
    allowedFrom: allowedFrom(await needs.journal.lastSentAt(accountFp), now),
    nextAllowedAt: now.add({ milliseconds: DAY }),
    night: isNight(now),
    lastSplitBalance:
      recipientId === undefined
        ? undefined
        : await needs.splitBalances.last(accountFp, recipientId),
    keySaved: seen.saved,
  };
};
