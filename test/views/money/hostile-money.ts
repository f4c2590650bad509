import type { Confirmation, WithdrawStatus } from "#src/domain/withdraw-facts.ts";
import { type WithdrawKind, type WithdrawOp, withdrawStates } from "#src/domain/withdraw-op.ts";
import type { Withdrawal } from "#src/domain/withdrawal.ts";
import type { Locale } from "#src/shared/locale.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { balanceView } from "#src/views/money/balance.ts";
import { externalWithdrawalNotice } from "#src/views/money/external-withdrawal.ts";
import { guardsView } from "#src/views/money/guards.ts";
import { confirmationView, keyKeptView } from "#src/views/money/withdraw-confirmation.ts";
import { outcomeNotice, withdrawStatusView } from "#src/views/money/withdraw-status.ts";
import { withdrawalDetailView } from "#src/views/money/withdrawal-detail.ts";
import { withdrawalListView } from "#src/views/money/withdrawal-list.ts";
import { NOW } from "../../support/samples.ts";
import type { Render } from "../hostile-samples.ts";
import {
  acceptedOp,
  nothingSent,
  REJECTED,
  sampleConfirmation,
  sampleOp,
  sampleStatus,
  sampleWithdrawal,
} from "./withdraw-samples.ts";

export const kinds: readonly WithdrawKind[] = [
  "normal",
  "turbo",
  "split_normal",
  "split_turbo",
  "cancel",
];

const opOf = (text: string, given: Partial<WithdrawOp>): WithdrawOp =>
  acceptedOp({ txid: text, targetTxid: text, requestId: text, pixKeyMasked: text, ...given });

const statusOf = (text: string, given: Partial<WithdrawOp>): WithdrawStatus =>
  sampleStatus({
    op: opOf(text, given),
    keySavable: true,
    problem: "malformed",
    withdrawal: sampleWithdrawal({
      txid: text,
      bankName: text,
      accountHolder: text,
      failReason: text,
      errorCode: text,
      failedAt: NOW,
    }),
    sent: { ...nothingSent, pixKeyOwner: text, rejected: { ...REJECTED, message: `<${text}` } },
  });

const confirmationOf = (text: string, kind: WithdrawKind): Confirmation =>
  sampleConfirmation({
    op: sampleOp({ kind, targetTxid: text }),
    pixKey: { value: new Secret(text), type: "unknown", suspect: true },
    holderName: text,
    bankName: text,
    askedTwice: ["new_key", "unreadable_list", "split", "suspect_key"],
    underWay: (["processing", "scheduled", "unread"] as const).map((phase) => ({
      phase,
      amount: cents(100),
      plannedFor: NOW,
    })),
    recent: { at: NOW, allowedFrom: NOW },
    sentMeanwhile: true,
    night: true,
  });

/** Each confirmation, status and notice, of each kind and in each state. */
export const withdrawalMessages: readonly Render[] = kinds.flatMap((kind) => [
  (text: string, locale: Locale) => confirmationView(confirmationOf(text, kind), locale),
  keyKeptView,
  ...withdrawStates.flatMap((state): readonly Render[] => [
    (text, locale) => withdrawStatusView(statusOf(text, { kind, state, locale }), locale),
    (text, locale) => {
      const { op, withdrawal } = statusOf(text, { kind, state, locale });
      return outcomeNotice({ op, withdrawal, reference: "ref a1b2c3d4" });
    },
  ]),
]);

/** All that the service writes and a stranger may have written. */
export const hostileWithdrawal = (text: string): Withdrawal =>
  sampleWithdrawal({
    txid: text,
    status: text,
    modality: text,
    pixKey: text,
    pixKeyType: text,
    bankName: text,
    accountHolder: text,
    transferId: text,
    failReason: text,
    errorCode: text,
    processor: { name: text, status: text, lastStatus: text },
  });
const row = (text: string) => ({ txid: text, requestedAt: NOW, amount: undefined, status: text });
const read = { problem: undefined, readAt: NOW };
const guards = {
  ownerId: "118",
  lockedAt: undefined,
  unlockAt: undefined,
  pin: undefined,
  dailyCap: undefined,
  pendingCap: undefined,
  newKeyWait: false,
  newKeyWaitEndsAt: undefined,
};

/** Lists, details and the other views of money. */
export const moneyViews: Readonly<Record<string, Render>> = {
  detail: (text, locale) =>
    withdrawalDetailView({
      ...read,
      op: acceptedOp({ txid: text, requestId: text, pixKeyMasked: text }),
      events: [],
      withdrawal: hostileWithdrawal(text),
      inGuild: true,
      locale,
    }),
  elsewhere: (text, locale) =>
    withdrawalDetailView({
      ...read,
      op: undefined,
      events: [],
      withdrawal: { ...hostileWithdrawal(text), pixKey: "12345678909" },
      inGuild: true,
      locale,
    }),
  list: (text, locale) =>
    withdrawalListView({
      ...read,
      ops: [acceptedOp({ pixKeyMasked: text })],
      elsewhere: [row(text), row(text)],
      filter: "all",
      locale,
    }),
  balance: (text, locale) =>
    balanceView({
      balance: undefined,
      frozen: undefined,
      open: [],
      elsewhereOpen: [row(text)],
      lock: undefined,
      underWay: [],
      recent: undefined,
      cap: undefined,
      quotes: undefined,
      locked: false,
      problems: [],
      readAt: NOW,
      locale,
    }),
  guards: (text, locale) =>
    guardsView({ guards, savedKeys: [{ name: `<${text}`, value: "salva:1" }], locale }),
  ghost: (text, locale) =>
    externalWithdrawalNotice({
      ownerId: "118",
      guildId: "118",
      locale,
      reference: "ref a1b2c3d4",
      noticedAt: NOW,
      txid: text,
      withdrawal: { ...hostileWithdrawal(text), pixKey: "12345678909" },
    }),
};
