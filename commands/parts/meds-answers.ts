import { type Action, action, type Invocation } from "#src/discord/command.ts";
import type { DisputeRef } from "#src/domain/dispute-list.ts";
import type { Services } from "#src/services/services.ts";
import { disputeCalendarReply } from "#src/views/disputes/dispute-calendar.ts";
import { disputeDetailView } from "#src/views/disputes/dispute-detail.ts";
import { disputeListView, disputeRateView } from "#src/views/disputes/dispute-list.ts";
import { reminderView } from "#src/views/disputes/dispute-alert.ts";
import type { Reply } from "#src/views/reply.ts";
import { refOf, type WantedPage } from "./meds.ts";

export const listReply = async (
  { filter, page }: WantedPage,
  invocation: Invocation,
  { disputes }: Services,
): Promise<Reply> => {
  const overview = await disputes.overview(invocation, filter, page);
  return disputeListView({ ...overview, locale: invocation.locale });
};

/** @throws UserError dispute_not_found, not_connected */
export const detailReply = async (
  infractionId: string,
  invocation: Invocation,
  { disputes, medAnswerUrl: answerUrl }: Services,
): Promise<Reply> => {
  const detail = await disputes.detail(invocation, infractionId);
  return disputeDetailView({ ...detail, answerUrl, inGuild: true, locale: invocation.locale });
};

/** @throws UserError dispute_not_found, not_your_dispute */
export const openReply = async (
  ref: DisputeRef,
  invocation: Invocation,
  { disputes, medAnswerUrl: answerUrl }: Services,
): Promise<Reply> => {
  const { guildId, locale } = invocation;
  const detail = await disputes.open(invocation, ref);
  return disputeDetailView({ ...detail, answerUrl, inGuild: guildId !== "", locale });
};

/** @throws UserError dispute_not_found, not_your_dispute */
export const calendarReply = async (
  ref: DisputeRef,
  invocation: Invocation,
  { disputes }: Services,
): Promise<Reply> =>
  await disputeCalendarReply(await disputes.open(invocation, ref), invocation.locale);

export const rateReply = async (
  _: undefined,
  invocation: Invocation,
  { disputes }: Services,
): Promise<Reply> => disputeRateView(await disputes.rate(invocation), invocation.locale);

/** Buttons on alerts, in channels and direct messages alike; only the owner of the account may. */
export const reminderAction = (wish: "mute" | "resume" | "snooze"): Action =>
  action({
    kind: "write",
    answers: "new",
    inDirectMessages: true,
    parse: refOf,
    run: async (ref, invocation, { disputes, clock }) =>
      reminderView(await disputes[wish](invocation, ref), clock.now(), invocation.locale),
  });
