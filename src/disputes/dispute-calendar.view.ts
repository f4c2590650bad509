import { HOUR, MINUTE, SECOND } from "../shared/time.ts";
import { mayBeAnswered } from "./dispute.ts";
import { leftMs } from "./dispute-alert.ts";
import type { DisputeDetail } from "./dispute-list.ts";
import type { Locale } from "../shared/locale.ts";
import { disputeTexts, type DisputeTexts } from "./texts.ts";
import { CODE_LENGTH, FILE_STORY_LENGTH, inFileName, plainLine, plainWord } from "../ui/format.ts";
import type { Reply, ReplyFile } from "../ui/reply.ts";

const ALARMS_HOURS = [24, 6] as const;
const ID_IN_NAME_LENGTH = 64;

/** No name or document of the payer: a calendar is often seen by others. */
const descriptionOf = ({ dispute, state }: DisputeDetail, texts: DisputeTexts): string => {
  const { disputes, format } = texts;
  return [
    `${disputes.infraction}: ${plainLine(dispute.infractionId, CODE_LENGTH)}`,
    `${disputes.txid}: ${plainLine(dispute.txid, CODE_LENGTH)}`,
    `${disputes.amount}: ${format.reais(dispute.amount)}`,
    `${disputes.situation}: ${plainWord(disputes.situations, dispute.situation)}`,
    `${disputes.description}: ${plainLine(dispute.description, FILE_STORY_LENGTH)}`,
    disputes.calendarState(disputes.states[state]),
    disputes.calendarHow,
  ].join("\n");
};

/** Alarms still to come: a calendar shows a past alarm at once, or never. */
const alarmsToCome = ({ dispute, readAt, state }: DisputeDetail): readonly number[] => {
  if (!mayBeAnswered(state)) return [];
  return ALARMS_HOURS.filter((hours) => leftMs(dispute.dueAt, readAt) > hours * HOUR);
};

/**
 * A dispute's deadline as an iCalendar file, with alarms 24 and 6 hours before. The same dispute always gives the same
 * event id, and a later file a higher sequence, so that a calendar takes it as an update: some drop one of an equal
 * sequence. Source: RFC 5545, 3.8.7.4.
 */
export const disputeCalendar = async (
  detail: DisputeDetail,
  locale: Locale,
): Promise<ReplyFile> => {
  // Loaded at the first use, because few people ask for a calendar.
  const { ICalAlarmType, ICalCalendar } = await import("ical-generator");
  const texts = disputeTexts(locale);
  const { disputes, format } = texts;
  const { dispute, readAt } = detail;
  const calendar = new ICalCalendar({ prodId: { company: "Balcao", product: "MED" } });
  const event = calendar.createEvent({
    id: `${plainLine(dispute.infractionId, CODE_LENGTH)}@balcao`,
    start: dispute.dueAt,
    stamp: readAt,
    sequence: Math.floor(readAt.epochMilliseconds / MINUTE),
    summary: disputes.calendarSummary(format.reais(dispute.amount)),
    description: descriptionOf(detail, texts),
  });
  for (const hours of alarmsToCome(detail)) {
    const trigger = (hours * HOUR) / SECOND;
    const description = disputes.calendarAlarm(hours);
    event.createAlarm({ type: ICalAlarmType.display, trigger, description });
  }
  return {
    name: `med-${inFileName(dispute.infractionId, ID_IN_NAME_LENGTH)}.ics`,
    contentType: "text/calendar; charset=utf-8",
    data: new TextEncoder().encode(`${calendar.toString()}\r\n`),
  };
};

export const disputeCalendarReply = async (
  detail: DisputeDetail,
  locale: Locale,
): Promise<Reply> => ({
  kind: "reply",
  content: disputeTexts(locale).disputes.calendarReply(
    alarmsToCome(detail),
    mayBeAnswered(detail.state),
  ),
  files: [await disputeCalendar(detail, locale)],
});
