import type { OfferEnd } from "#src/accounts/wallet-key.ts";
import { isWithdrawal, withdrawKinds, withdrawStates } from "#src/withdrawals/withdraw-op.ts";
import { UserError, type UserErrorReason, WalletError } from "#src/shared/errors.ts";
import type { Locale } from "#src/shared/locale.ts";
import { cents } from "#src/shared/money.ts";
import { accountView, connectedView } from "#src/accounts/account.view.ts";
import { disconnectHereQuestion } from "#src/accounts/disconnect.view.ts";
import {
  connectedForView,
  connectionsView,
  disconnectedFromView,
  disconnectFromQuestion,
  memberAskedView,
  memberRemovedView,
  offerAcceptedView,
  offerRefusedView,
  removeMemberQuestion,
  reportAgreedView,
  reportStoppedView,
} from "#src/accounts/connections.view.ts";
import { hostileDisputes } from "../disputes/hostile-disputes.ts";
import { hostileCharges } from "../charges/hostile-charges.ts";
import { errorReply } from "#src/help/error.view.ts";
import { helpView } from "#src/help/help.view.ts";
import { balanceView } from "#src/balance/balance.view.ts";
import { externalWithdrawalNotice } from "#src/withdrawals/external-withdrawal.view.ts";
import { guardsInForce } from "#src/money-guards/money-guards.ts";
import { guardNotice, guardsView } from "#src/money-guards/money-guards.view.ts";
import { refundConfirmationView } from "#src/withdrawals/refunds/refund.view.ts";
import { outcomeNotice, replacedNotice } from "#src/withdrawals/outcome-notice.view.ts";
import { restoredNotice } from "#src/withdrawals/restore/restore-question.view.ts";
import {
  cancelConfirmationView,
  confirmationView,
  keyKeptView,
} from "#src/withdrawals/withdraw-confirmation.view.ts";
import { withdrawStatusView } from "#src/withdrawals/withdraw-status.view.ts";
import {
  withdrawalDetailView,
  withdrawalSummaryView,
} from "#src/withdrawals/withdrawal-detail.view.ts";
import { withdrawalListView } from "#src/withdrawals/withdrawal-list.view.ts";
import {
  connectedForYouNotice,
  sharedAccountNotice,
  keyOfferEndNotice,
  keyOfferQuestion,
  keyRefusedNotice,
  leftServerNotice,
  removedNotice,
} from "#src/accounts/notices.view.ts";
import { noReportView, reportMoveNotice, reportRouteView } from "#src/reports/report-route.view.ts";
import { dailyReportPost } from "#src/reports/daily-report.view.ts";
import { POSTED_AT, sellerOf, storeOf } from "../reports/report-samples.ts";
import { fields, type HostileView, prose, type Render } from "./hostile-samples.ts";
import { hostileSales } from "../sale-notices/hostile-sales.ts";
import {
  NOW,
  sampleAccount,
  sampleOffer,
  sampleRoute,
  UNREAD_BALANCE,
} from "../support/samples.ts";
import { proofViews } from "../defence/hostile-proofs.ts";
import {
  acceptedOp,
  hostileRefund,
  hostileWithdrawal,
  nothingSent,
  REJECTED,
  sampleStatus,
  hostileCancel,
  hostileConfirmation,
  sampleWithdrawal,
} from "../withdrawals/withdraw-samples.ts";
import { transactionViews } from "../transactions/hostile-transactions.ts";

const kind = "refund" as const;
const GUILD = "1180000000000000001";
const OWNER = "1180000000000000011";
const ADMIN = "1180000000000000013";
const reference = "ref a1b2c3d4";
/** All that goes with a connection. */
export const losses = {
  proofs: 3,
  pixKeys: 2,
  alertChoice: true,
  alertsEnd: true,
  disputes: 2,
  dueAt: NOW,
  charges: 2,
  webhook: true,
  goal: cents(1),
  directGoesOn: true,
  saleNotices: true,
};
export const offerEnds: readonly OfferEnd[] = [
  "accepted",
  "refused",
  "expired",
  "unreached",
  "unreadable",
  "own_key",
  "disconnected",
  "replaced",
];

const mistake =
  (reasonOf: (given: string) => UserErrorReason): Render =>
  (text, locale) =>
    errorReply(new UserError(reasonOf(text)), locale, "R");
const keyed = (keyLast4: string) => sampleAccount({ keyLast4, pausedAt: NOW });
const asked = { questionId: "0123456789", losses, isAnew: true };
const connected = (keyLast4: string) => sampleAccount({ keyLast4, reportConsent: true });
const notice = (keyLast4: string, locale: Locale) => ({
  guildId: GUILD,
  locale,
  reference,
  keyLast4,
  elsewhere: 2,
});
const accountFacts = (text: string, locale: Locale) => ({
  account: keyed(text),
  directHour: undefined,
  alertRoute: undefined,
  undelivered: 0,
  undeliveredReports: 0,
  alertsElsewhere: undefined,
  sales: { choice: "off", channelId: undefined, isByReport: false, isOnHold: true } as const,
  unlisted: 0,
  isOnHold: true,
  refusedElsewhere: 2,
  locale,
});
const offer = (keyLast4: string, locale: Locale) => sampleOffer({ keyLast4, locale });
const beside = (text: string, locale: Locale) => ({
  alerts: undefined,
  more: [],
  members: members(text, locale),
});
const members = (text: string, locale: Locale) => ({
  owners: Array.from({ length: 25 }, (_, index) => `11800000000000020${10 + index}`),
  firstPlace: 26,
  page: 1,
  pages: 9,
  offers: Array.from({ length: 30 }, () => offer(text, locale)),
});

const statuses = withdrawKinds.flatMap((kind) =>
  withdrawStates.map((state) => (text: string, locale: Locale) => {
    const op = { txid: text, targetTxid: text, requestId: text, pixKeyMasked: text };
    return sampleStatus({
      op: acceptedOp({ ...op, kind, state, locale }),
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
  }),
);
const unasked = { requestedAt: NOW, amount: undefined };
const listed = (text: string) => ({ ...unasked, txid: text, status: text });
const detail = {
  readAt: NOW,
  events: [],
  hasGuild: true,
  withdrawEnabled: true,
} as const;
const watch = { ownerId: OWNER, guildId: GUILD, reference, noticedAt: NOW, withdrawEnabled: true };

const ownFacts = (text: string, locale: Locale) => {
  const op = acceptedOp({ txid: text, requestId: text, pixKeyMasked: text });
  return { ...detail, op, withdrawal: hostileWithdrawal(text), locale };
};

/** Every view that shows text from outside of the bot, by its name. */
export const hostileViews: Readonly<Record<string, HostileView>> = {
  errorReply: prose(
    mistake((given) => ({ kind: "invalid_date", given })),
    mistake((given) => ({ kind: "future_date", given })),
    mistake((given) => ({ kind: "invalid_period", given })),
    mistake((given) => ({ kind: "period_too_long", given })),
    mistake((given) => ({ kind: "invalid_time", given })),
    mistake((given) => ({ kind: "invalid_time_zone", given })),
    mistake((given) => ({ kind: "txid_unreadable", given })),
    mistake((given) => ({ kind: "charge_amount_unreadable", given })),
    mistake((given) => ({ kind: "charge_amount_too_small", given })),
    mistake((given) => ({ kind: "goal_unreadable", given })),
    mistake((given) => ({ kind: "goal_too_small", given })),
    mistake((pixKeyMasked) => ({ kind: "new_key_waits", pixKeyMasked, until: NOW })),
    (text, locale) => errorReply({ reference: text }, locale, text),
    (requestId, locale) =>
      errorReply(
        new WalletError({ kind: "unavailable", method: "GET", route: "/v1/x", requestId }),
        locale,
        "R",
      ),
  ),
  dailyReportPost: prose((text, locale) =>
    dailyReportPost(
      storeOf([sellerOf(1, [100])], { locale, directKey: text }),
      POSTED_AT,
      reference,
    ),
  ),
  ...hostileSales(OWNER),
  keyRefusedNotice: prose((text, locale) =>
    keyRefusedNotice({ ...notice(text, locale), isLast: true, noticedAt: NOW, requestId: text }),
  ),
  connectedForYouNotice: prose((text, locale) =>
    connectedForYouNotice({
      ...notice(text, locale),
      account: { ...keyed(text), connectedBy: ADMIN },
      beginsAlerts: true,
    }),
  ),
  sharedAccountNotice: prose((text, locale) =>
    sharedAccountNotice({
      ...notice(text, locale),
      account: { ...keyed(text), connectedBy: ADMIN },
    }),
  ),
  accountView: prose((text, locale) =>
    accountView({ ...accountFacts(text, locale), route: sampleRoute() }),
  ),
  connectedView: prose((text, locale) =>
    connectedView({ ...accountFacts(text, locale), route: undefined, lost: losses }),
  ),
  connectedForView: prose((text, locale) => connectedForView(keyed(text), locale)),
  disconnectHereQuestion: prose((text, locale) =>
    disconnectHereQuestion({ account: keyed(text), ...asked, unfinished: undefined, locale }),
  ),
  refundConfirmationView: prose((text, locale) =>
    refundConfirmationView(hostileRefund(text), locale),
  ),
  helpView: prose((text, locale) =>
    helpView({ account: keyed(text), manager: true, inGuild: true, withdrawEnabled: true, locale }),
  ),
  connectionsView: {
    ...prose((text, locale) => {
      const shown = Array.from({ length: 25 }, (_, index) => ({
        account: { ...connected(text), guildId: `11800000000000010${10 + index}` },
        guildName: text,
        hasLeft: false,
      }));
      return connectionsView(shown, 5, locale);
    }),
    // A server's plain name alone: `menuName`.
    namesOptions: true,
  },
  disconnectFromQuestion: prose(
    ...[undefined, { opId: "W-AB2CD", kind, others: 1 }].map((left): Render => (text, locale) => {
      const account = connected(text);
      return disconnectFromQuestion({ account, ...asked, locale, unfinished: left }, text);
    }),
  ),
  disconnectedFromView: prose((text, locale) => disconnectedFromView(GUILD, text, true, locale)),
  reportAgreedView: prose(
    ...[sampleRoute(), undefined].map((route): Render => (text, locale) => {
      const facts = { account: connected(text), guildName: text, hasLeft: false };
      return reportAgreedView(facts, route, locale);
    }),
  ),
  reportStoppedView: prose(
    (text, locale) => reportStoppedView("stopped", GUILD, text, locale),
    (text, locale) => reportStoppedView("stoppedHere", GUILD, text, locale),
  ),
  reportRouteView: prose((text, locale) =>
    reportRouteView({
      route: sampleRoute(),
      audience: { connected: 230, consenting: 2, settledDay: undefined, onHold: undefined },
      closes: { week: true, month: true },
      now: NOW,
      saved: false,
      beside: beside(text, locale),
      locale,
    }),
  ),
  noReportView: prose((text, locale) => noReportView(beside(text, locale), locale)),
  removeMemberQuestion: prose((_, locale) => removeMemberQuestion(OWNER, "0", true, locale)),
  memberRemovedView: prose((_, locale) => memberRemovedView(OWNER, locale)),
  memberAskedView: prose((text, locale) => memberAskedView(offer(text, locale), locale)),
  offerAcceptedView: prose(
    ...[undefined, losses].map(
      (lost): Render =>
        (_, locale) =>
          offerAcceptedView(lost, locale),
    ),
  ),
  offerRefusedView: prose((_, locale) => offerRefusedView(locale)),
  removedNotice: prose(
    ...[undefined, { opId: undefined, kind, others: 1 }].map((left): Render => (text, locale) => {
      return removedNotice({ ...notice(text, locale), adminId: ADMIN, unfinished: left, losses });
    }),
  ),
  reportMoveNotice: prose((text, locale) =>
    reportMoveNotice({ ...notice(text, locale), channelId: "118", guildName: text }),
  ),
  leftServerNotice: prose((text, locale) =>
    leftServerNotice({
      ...notice(text, locale),
      dailyReport: true,
      saleNotices: true,
      alerts: "direct",
      guildName: text,
      noticedAt: NOW,
    }),
  ),
  keyOfferQuestion: prose(
    ...[{}, { losses }].map((lost): Render => (text, locale) => {
      const facts = { locale, reference, presentLast4: text, ...lost };
      return keyOfferQuestion(offer(text, locale), facts);
    }),
  ),
  keyOfferEndNotice: prose(
    ...offerEnds.map(
      (how): Render =>
        (text, locale) =>
          keyOfferEndNotice(offer(text, locale), how, reference),
    ),
  ),
  ...transactionViews,
  confirmationView: prose(
    ...withdrawKinds.filter(isWithdrawal).map(
      (kind): Render =>
        (text, locale) =>
          confirmationView(hostileConfirmation(kind, text), locale),
    ),
  ),
  cancelConfirmationView: prose((text, locale) =>
    cancelConfirmationView(hostileCancel(text), locale),
  ),
  keyKeptView: prose(keyKeptView),
  withdrawStatusView: prose(
    ...statuses.map(
      (statusOf): Render =>
        (text, locale) =>
          withdrawStatusView(statusOf(text, locale), locale),
    ),
  ),
  outcomeNotice: prose(
    ...statuses.map((statusOf): Render => (text, locale) => {
      const { op, withdrawal } = statusOf(text, locale);
      return outcomeNotice({ op, withdrawal, reference });
    }),
  ),
  replacedNotice: prose(
    ...statuses.map((statusOf): Render => (text, locale) => {
      const { op, withdrawal } = statusOf(text, locale);
      return replacedNotice(outcomeNotice({ op, withdrawal, reference }), op);
    }),
  ),
  withdrawalDetailView: prose(
    (text, locale) => withdrawalDetailView(ownFacts(text, locale)),
    (text, locale) => withdrawalDetailView({ ...ownFacts(text, locale), op: undefined }),
  ),
  withdrawalSummaryView: prose((text, locale) => withdrawalSummaryView(ownFacts(text, locale))),
  withdrawalListView: fields((text, locale) =>
    withdrawalListView({
      undelivered: 99,
      readAt: NOW,
      ops: [acceptedOp({ pixKeyMasked: text })],
      elsewhere: [listed(text), listed(text)],
      filter: "all",
      locale,
    }),
  ),
  balanceView: fields((text, locale) =>
    balanceView({
      ...UNREAD_BALANCE,
      inGuild: true,
      elsewhereOpen: [listed(text)],
      locale,
    }),
  ),
  guardsView: fields((text, locale) =>
    guardsView({
      guards: guardsInForce(undefined, OWNER, NOW),
      savedKeys: [{ name: `<${text}`, value: "salva:1" }],
      locale,
    }),
  ),
  guardNotice: fields((pixKeyMasked, locale) =>
    guardNotice({ ...watch, locale, change: "new_key", from: NOW, pixKeyMasked }),
  ),
  externalWithdrawalNotice: fields((text, locale) =>
    externalWithdrawalNotice({ ...watch, locale, txid: text, withdrawal: hostileWithdrawal(text) }),
  ),
  restoredNotice: fields((text, locale) => {
    const held = { cause: "restored", why: "newer", answerId: "0" } as const;
    return restoredNotice({ ...watch, locale, question: { ...held, withdrawals: [listed(text)] } });
  }),
  ...hostileDisputes,
  ...hostileCharges,
  ...proofViews,
};
