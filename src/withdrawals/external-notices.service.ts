import type { Account } from "../accounts/account.ts";
import { type NewDelivery, notice } from "../delivery/delivery.ts";
import type { Withdrawal } from "./withdrawal.ts";
import type { NotifiedOwner } from "./withdraw-account.service.ts";
import { externalNoticeKey, isDecidedByAnother, type WithdrawOp } from "./withdraw-op.ts";
import type { MoneyNeeds } from "./money-services.service.ts";

/**
 * Messages to all owners about one withdrawal. It may be one that was declared as not made: the message to who said so
 * names the operation, and comes even if that person's key is refused or removed since; the message to the operation's own
 * owner, if entitled, names it too. One that the service once accepted from the bot is no alarm to the others.
 */
export const externalAlarms = (
  needs: MoneyNeeds,
  owners: readonly NotifiedOwner[],
  txid: string,
  withdrawal: Withdrawal | undefined,
  declared: WithdrawOp | undefined,
): readonly NewDelivery[] => {
  const decider = declared?.resolvedBy ?? declared?.ownerId;
  const others = owners.filter(
    ({ account, isEntitled }) =>
      isEntitled && account.ownerId !== decider && declared?.txid === undefined,
  );
  const notices = others.map((owner) => {
    const own = owner.account.ownerId === declared?.ownerId ? declared : undefined;
    return externalAlarm(needs, owner, txid, withdrawal, own);
  });
  if (declared === undefined || decider === undefined) return notices;
  const next = owners.find(({ account }) => account.ownerId === decider);
  // An operation's server and language are those of its owner.
  const gone = {
    account: { ...declared, guildId: "", ownerId: decider },
    locale: "pt-BR",
  } as const;
  const owner = isDecidedByAnother(declared)
    ? (next ?? gone)
    : { account: { ...declared, keyLast4: next?.account.keyLast4 }, locale: declared.locale };
  const named = externalAlarm(needs, owner, txid, withdrawal, declared);
  return [named, ...notices];
};

type Addressee = Pick<NotifiedOwner, "locale"> & {
  readonly account: Pick<Account, "accountFp" | "guildId" | "ownerId"> & {
    readonly keyLast4?: string | undefined;
  };
};

export const noticeKeyOf = ({ account }: Addressee, txid: string): string =>
  externalNoticeKey(account.accountFp, txid, account.ownerId);

export const externalAlarm = (
  needs: MoneyNeeds,
  owner: Addressee,
  txid: string,
  withdrawal: Withdrawal | undefined,
  declared?: WithdrawOp,
): NewDelivery => {
  const { account, locale } = owner;
  const { guildId, ownerId, keyLast4 } = account;
  const noticedAt = needs.clock.now();
  const dedupeKey = noticeKeyOf(owner, txid);
  const { withdrawEnabled } = needs;
  const seen = { txid, withdrawal, declaredOpId: declared?.id };
  const facts = { ownerId, guildId, keyLast4, locale, ...seen, withdrawEnabled, noticedAt };
  // Not of the account: its removal would cancel the alarm, which is raised once.
  const place = { guildId: guildId === "" ? null : guildId, accountId: null };
  const post = { dedupeKey, ...place, notBefore: noticedAt };
  return notice(ownerId, post, (reference) => needs.notices.external({ ...facts, reference }));
};
