import { describe, expect, test } from "vitest";
import { postBody } from "#src/discord/message-body.ts";
import type { DeliveryPayload } from "#src/delivery/delivery.ts";
import { alertSteps } from "#src/disputes/dispute-alert.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { withdrawStates } from "#src/withdrawals/withdraw-op.ts";
import { cents } from "#src/shared/money.ts";
import type { Locale } from "#src/shared/locale.ts";
import { reportMoveNotice } from "#src/reports/report-route.view.ts";
import { saleMoveNotice } from "#src/sale-notices/sale-notice.view.ts";
import { testPost } from "#src/reports/test-post.view.ts";
import { dailyReportPost } from "#src/reports/daily-report.view.ts";
import {
  alertChannelLostNotice,
  alertMoveNotice,
  disputeAlert,
  unlistedAlert,
} from "#src/disputes/dispute-alert.view.ts";
import { guardNotice } from "#src/money-guards/money-guards.view.ts";
import { restoredNotice } from "#src/withdrawals/restore/restore-question.view.ts";
import { outcomeNotice } from "#src/withdrawals/outcome-notice.view.ts";
import { externalWithdrawalNotice } from "#src/withdrawals/external-withdrawal.view.ts";
import {
  channelLostNotice,
  connectedForYouNotice,
  sharedAccountNotice,
  keyOfferEndNotice,
  keyOfferQuestion,
  keyAcceptedNotice,
  keyRefusedNotice,
  leftServerNotice,
  removedNotice,
  reportChannelNotice,
  rejectedReportNotice,
  uncertainReportNotice,
} from "#src/accounts/notices.view.ts";
import { closePost, uncertainCloseNotice } from "#src/closes/close.view.ts";
import { fullCloseFigures, quietCloseFigures } from "../closes/close-samples.ts";
import { NOW, sampleAccount, sampleRoute, sampleOffer } from "../support/samples.ts";
import { POSTED_AT, sellerOf, storeOf } from "../reports/report-samples.ts";
import { losses, offerEnds } from "./hostile-views.ts";
import { sampleDispute } from "../disputes/dispute-samples.ts";
import { GUARD_CHANGES, sampleOp, sampleWithdrawal } from "../withdrawals/withdraw-samples.ts";

const OWNER = "1180000000000000011";
const ROLE = "1180000000000000301";
const GUILD = "1180000000000000001";
const STRANGER = "**zqx** @everyone <@119> `";
const MOST = cents(99_999_999_999);
const PINGS = { userId: OWNER, roleId: ROLE };
const DAY = Temporal.PlainDate.from("2026-11-22");

/** Each post and direct message, with the largest amounts and hostile text in every field. */
const all = (locale: Locale): Readonly<Record<string, DeliveryPayload | undefined>> => {
  const reference = "ref a1b2c3d4";
  const notice = { guildId: GUILD, locale, reference };
  const watch = { ...notice, ownerId: OWNER, noticedAt: NOW, withdrawEnabled: true };
  const keyed = { ...notice, keyLast4: STRANGER, elsewhere: 2 };
  const offer = sampleOffer({ keyLast4: STRANGER, locale });
  const given = { ...sampleDispute({ amount: MOST }), infractionId: STRANGER };
  const dispute = followedDispute("account-1", given, NOW);
  const withdrawal = sampleWithdrawal({ amount: MOST, failReason: STRANGER });
  const seller = sellerOf(1, [MOST - 1, MOST], { ownerId: OWNER });
  const store = storeOf([seller], { locale, guildName: STRANGER });
  const several = { ...store, sellers: [seller, sellerOf(2, [MOST, MOST])] };
  const nothing = { ...store, sellers: [sellerOf(1, [MOST, 0], { ownerId: OWNER })] };
  const posted = POSTED_AT.add({ hours: 1 });
  const close = { dueAt: NOW, late: true, locale, reference };
  const lost = { ...notice, channelId: "118", noticedAt: NOW };
  const question = { cause: "restored", why: "newer", withdrawals: [], answerId: "0" } as const;
  return {
    channelLost: channelLostNotice(lost),
    alertChannelLost: alertChannelLostNotice(lost),
    keyRefused: keyRefusedNotice({ ...keyed, isLast: true, noticedAt: NOW, requestId: STRANGER }),
    oneKeyRefused: keyRefusedNotice({ ...keyed, isLast: false, noticedAt: NOW }),
    keyAccepted: keyAcceptedNotice({ ...keyed, readAt: NOW }),
    uncertain: uncertainReportNotice({ ...notice, channelId: "118", day: DAY }),
    rejected: rejectedReportNotice({ ...notice, channelId: "118", day: DAY, closeKind: "week" }),
    uncertainClose: uncertainCloseNotice({ ...notice, channelId: "118", kind: "week", day: DAY }),
    connected: connectedForYouNotice({
      ...notice,
      account: sampleAccount({ connectedBy: "119", keyLast4: STRANGER, ownerVerified: false }),
      beginsAlerts: true,
    }),
    shared: sharedAccountNotice({ ...notice, account: sampleAccount({ connectedBy: "119" }) }),
    reportChannel: reportChannelNotice({ ...notice, channelId: "118" }),
    reportMove: reportMoveNotice({ ...notice, channelId: "118", guildName: STRANGER }),
    saleMove: saleMoveNotice({ ...notice, channelId: "118", guildName: STRANGER, minimum: MOST }),
    alertMove: alertMoveNotice({ ...notice, channelId: "118", guildName: STRANGER }),
    removed: removedNotice({
      ...keyed,
      adminId: "119",
      unfinished: { opId: "W-AB2CD", kind: "turbo", others: 3 },
      losses,
    }),
    left: leftServerNotice({
      ...keyed,
      dailyReport: true,
      saleNotices: true,
      alerts: "direct",
      guildName: STRANGER,
      noticedAt: NOW,
    }),
    offer: keyOfferQuestion(offer, { locale, reference, presentLast4: STRANGER }),
    restored: restoredNotice({ ...watch, question }),
    ghost: externalWithdrawalNotice({ ...watch, txid: STRANGER, withdrawal }),
    unreadGhost: externalWithdrawalNotice({ ...watch, txid: STRANGER, withdrawal: undefined }),
    report: dailyReportPost(store, posted, reference),
    reportOfSeveral: dailyReportPost(several, posted, reference),
    reportCompleted: dailyReportPost(
      { ...several, completes: seller.accountId },
      posted,
      reference,
    ),
    emptyReport: dailyReportPost(nothing, posted, reference),
    emptyWhole: dailyReportPost({ ...nothing, emptyChoice: "send" }, posted, reference),
    weekClose: closePost({ ...close, figures: fullCloseFigures("week") }),
    monthClose: closePost({ ...close, figures: fullCloseFigures("month") }),
    emptyClose: closePost({ ...close, figures: quietCloseFigures() }),
    test: testPost({ route: sampleRoute({ locale }), now: posted, reference }),
    unlisted: unlistedAlert({ pending: 12, unlisted: 11, pings: PINGS, locale, reference }),
    ...Object.fromEntries([
      ...offerEnds.map((how) => [`offer ${how}`, keyOfferEndNotice(offer, how, reference)]),
      ...GUARD_CHANGES.map((change) => [change, guardNotice({ ...watch, change, from: NOW })]),
      ...alertSteps.map((step) => [
        `MED ${step}`,
        disputeAlert({ step, dispute, pings: PINGS, at: NOW, locale, reference }),
      ]),
      ...withdrawStates.flatMap((state) =>
        (["normal", "split_turbo", "cancel", "refund"] as const).map((kind) => [
          `${kind} ${state}`,
          outcomeNotice({
            op: sampleOp({ kind, state, locale, ...(kind === "normal" && { amount: MOST }) }),
            withdrawal,
            reference,
          }),
        ]),
      ),
    ]),
  };
};

describe.each(["pt-BR", "en-US"] as const)("each post and direct message in %s", (locale) => {
  const posts = Object.entries(all(locale));

  test("says in one plain sentence outside of its embed what happened", () => {
    for (const [name, post] of posts) {
      // A report names its seller without a ping.
      const sentence = (post?.content ?? "").replace(`<@${OWNER}>`, "Ana");
      expect([name, sentence]).toEqual([
        name,
        expect.stringMatching(/^[^\n*_`~|<>@#[\]!]{10,150}$/),
      ]);
      expect([name, sentence]).toEqual([name, expect.not.stringMatching(/zqx|…|\bundefined\b/)]);
    }
  });

  test("notifies nobody but an alert's owner and its role", () => {
    for (const [name, post] of posts) {
      const allowed = postBody(post ?? {}).allowed_mentions;
      const isAlert = name.startsWith("MED") || name === "unlisted";
      expect([name, allowed]).toEqual([
        name,
        isAlert ? { parse: [], users: [OWNER], roles: [ROLE] } : { parse: [] },
      ]);
    }
  });
});

test("a MED's sentence says how much, how long and until when; a withdrawal's that it is not to be repeated", () => {
  const said = (name: string, locale: Locale = "pt-BR") =>
    all(locale)[name]?.content?.replaceAll("\u00a0", " ");
  expect(said("MED new")).toBe(
    "Novo MED de R$ 999.999.999,99: 2 dias para responder (até dom 22/11 15:00, horário de Brasília).",
  );
  expect(said("MED 1h", "en-US")).toBe(
    "MED of R$ 999,999,999.99: less than 1 hour to answer (by Sun, Nov 22, 3:00 PM, Brasília time).",
  );
  expect(said("MED won")).toBe("MED de R$ 999.999.999,99 ganho: valor liberado.");
  expect(said("normal failed")).toBe("O saque falhou (R$ 999.999.999,99).");
  expect(said("normal unknown")).toBe(
    "Ainda não sei se o saque foi feito (R$ 999.999.999,99). Não repita o pedido.",
  );
  expect(said("ghost")).toContain("um saque de R$ 999.999.999,99 que não foi pedido por aqui");
  expect(said("reportOfSeveral")).toBe(
    "A loja vendeu R$ 1.999.999.999,98 hoje · = praticamente o mesmo que ontem",
  );
});
