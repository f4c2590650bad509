import { HOUR, SECOND } from "../../shared/time.ts";
import type { DisputeDetail } from "../../domain/dispute-list.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import { CODE_LENGTH, inFileName, plainLine, plainWord, STORY_LENGTH } from "../format.ts";
import type { Reply, ReplyFile } from "../reply.ts";

const ALARMS_HOURS = [24, 6] as const;
const ID_IN_NAME_LENGTH = 64;

/** No name or document of the payer: a calendar is often seen by others. */
const storyOf = ({ dispute, state }: DisputeDetail, texts: Texts): string => {
  const { disputes, format } = texts;
  return [
    `${disputes.infraction}: ${plainLine(dispute.infractionId, CODE_LENGTH)}`,
    `${disputes.txid}: ${plainLine(dispute.txid, CODE_LENGTH)}`,
    `${disputes.amount}: ${format.reais(dispute.amount)}`,
    `${disputes.situation}: ${plainWord(disputes.situations, dispute.situation)}`,
    `${disputes.description}: ${plainLine(dispute.description, STORY_LENGTH)}`,
    disputes.calendarState(disputes.states[state]),
    disputes.calendarHow,
  ].join("\n");
};

/** Those that are still to come when the file is made: a calendar shows one of the past at once, or never. */
const alarmsToCome = ({ dispute, readAt }: DisputeDetail): readonly number[] => {
  const leftMs = dispute.dueAt.epochMilliseconds - readAt.epochMilliseconds;
  return ALARMS_HOURS.filter((hours) => leftMs > hours * HOUR);
};

/**
 * The deadline of a dispute as an iCalendar file, with an alarm 24 and one 6 hours before, if they are still to come. The same dispute always gives
 * the same event, so that a calendar takes a second file for a change of the first. Source: RFC 5545.
 */
export const disputeCalendar = async (
  detail: DisputeDetail,
  locale: Locale,
): Promise<ReplyFile> => {
  // Few people ever ask for one: the library is loaded for the first of them.
  const { ICalAlarmType, ICalCalendar } = await import("ical-generator");
  const texts = textsFor(locale);
  const { disputes, format } = texts;
  const { dispute, readAt } = detail;
  const calendar = new ICalCalendar({ prodId: { company: "Balcao", product: "MED" } });
  const event = calendar.createEvent({
    id: `${plainLine(dispute.infractionId, CODE_LENGTH)}@balcao`,
    start: dispute.dueAt,
    stamp: readAt,
    summary: disputes.calendarSummary(format.reais(dispute.amount)),
    description: storyOf(detail, texts),
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

/** The file, for its owner alone. */
export const disputeCalendarReply = async (
  detail: DisputeDetail,
  locale: Locale,
): Promise<Reply> => ({
  kind: "reply",
  content: textsFor(locale).disputes.calendarReply(alarmsToCome(detail)),
  files: [await disputeCalendar(detail, locale)],
});
