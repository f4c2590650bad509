import type { APIEmbedField } from "discord-api-types/v10";
import {
  type ChosenChannelFacts,
  type DeliveryPayload,
  isRouteOpen,
} from "../delivery/delivery.ts";
import type { AlertRoute } from "../disputes/dispute-alert.ts";
import {
  dayDueNow,
  type DirectHour,
  hourRemark,
  nextReport,
  type NextReport,
} from "./report-schedule.ts";
import type {
  EmptyReportChoice,
  ReportAudience,
  ReportRoute,
  TestPostResult,
} from "./report-route.ts";
import type { CloseChoices } from "../closes/close.ts";
import type { Locale } from "../shared/locale.ts";
import { type ReportTexts, reportTexts } from "./texts.ts";
import { accountTexts } from "../accounts/texts.ts";
import { alertSummary } from "../disputes/alert-route.view.ts";
import { peopleIds } from "../accounts/notices.view.ts";
import { buttonRow, customIdOf, reply, type Reply, type Row, selectRow } from "../ui/reply.ts";
import {
  channelMenu,
  chosenChannelPost,
  routeState,
  shownChoices,
  switchButton,
} from "../ui/settings.ts";
import { cut, inline, limits, line } from "../ui/embed.ts";
import { type MembersFacts, membersFields, membersRows } from "../accounts/connections.view.ts";
import { channel, fullAndRelative, together } from "../ui/format.ts";
import { windowInWords } from "./sales-report.view.ts";
import { formatTimeOfDay, type TimeZoneChoice } from "../shared/local-time.ts";

export const emptyChoices: readonly EmptyReportChoice[] = ["send", "line", "skip"];

/** Custom ids of a server's settings; `commands/config-relatorio.ts` handles them. */
const ids = {
  channel: customIdOf("config", "relatorio-canal")(""),
  time: customIdOf("config", "relatorio-hora")(""),
  /** By `shownChoices`. */
  closes: customIdOf("config", "relatorio-fechamentos"),
  test: customIdOf("config", "testar")(""),
  /** By `SWITCHES`. */
  switch: customIdOf("config", "relatorio-ativo"),
  empty: customIdOf("config", "vazio")(""),
} as const;

/** Custom ids by owner of a direct report; `commands/conta-ver.ts` handles them. */
const ownIds = {
  time: customIdOf("conta", "direto-hora"),
  /** By owner and `shownChoices`. */
  closes: customIdOf("conta", "direto-fechamentos"),
  test: customIdOf("conta", "direto-testar"),
} as const;

/** Parts of `/config ver` beside the report's settings. */
export interface SettingsBeside {
  /** Undefined when no alert channel was chosen. */
  readonly alerts: AlertRoute | undefined;
  /** Further settings of the server. */
  readonly more: readonly APIEmbedField[];
  readonly members: MembersFacts;
}

interface ReportRouteFacts {
  readonly route: ReportRoute;
  readonly audience: ReportAudience;
  readonly now: Temporal.Instant;
  /** Whether the route was changed just now. */
  readonly saved: boolean;
  /** Closes of the server, other than the daily report. */
  readonly closes: CloseChoices;
  /** In place of the menus that change the report's settings, except that for days without sales. */
  readonly beside?: SettingsBeside | undefined;
  readonly locale: Locale;
}

/** Brasília's zone by its name, others by their IANA name as code. */
const zoneInWords = (
  { timeZone }: Pick<ReportRoute, "timeZone">,
  { format }: ReportTexts,
): string => {
  const name = format.zone(timeZone);
  return name === timeZone ? `\`${timeZone}\`` : name;
};

const nextFields = (
  { route, audience, now, saved }: ReportRouteFacts,
  { day, dueAt }: NextReport,
  texts: ReportTexts,
): readonly APIEmbedField[] => {
  if (!isRouteOpen(route)) return [];
  const { reports } = texts;
  if (audience.consenting === 0) return [line(reports.nextReport, reports.starts)];
  const { onHold } = audience;
  if (onHold !== undefined) return [line(reports.nextReport, reports.onHold[onHold])];
  const words = reports.next(fullAndRelative(dueAt), day, windowInWords(day, texts));
  const { settledDay, agreedAt } = audience;
  const isSkipped = settledDay !== undefined && !nextReport(route, now).day.equals(day);
  const { activeSince } = route;
  const isAgreedLater = agreedAt && Temporal.Instant.compare(agreedAt, activeSince) > 0;
  const since = isAgreedLater ? agreedAt : activeSince;
  const coming = saved ? dayDueNow({ ...route, lastDay: settledDay, since }, now) : undefined;
  const promised = coming ? [reports.coming(coming, route.emptyChoice === "skip")] : [];
  const before = isSkipped ? [reports.settled(settledDay)] : promised;
  return [line(reports.nextReport, [...before, words].join("\n"))];
};

const remarkInWords = (
  route: ReportRoute,
  next: NextReport,
  { reports, format }: ReportTexts,
): readonly string[] => {
  const remark = hourRemark(next, route);
  if (remark === undefined || !route.active) return [];
  return remark.kind === "before_close"
    ? [reports.beforeClose(format.hour(remark.close), format.hour(route.time))]
    : [reports.settling(format.hour(remark.postedAt))];
};

/** Hours after the close in Brasília, then hours of the next day. */
const OFFERED_TIMES = [
  "21:05",
  "21:30",
  "22:00",
  "22:30",
  "23:00",
  "07:00",
  "08:00",
  "09:00",
  "12:00",
];

const timeMenu = (
  id: string,
  { time }: Pick<ReportRoute, "time">,
  { reports, format }: ReportTexts,
): Row => {
  const present = formatTimeOfDay(time);
  return selectRow({
    id,
    placeholder: reports.timePlaceholder,
    options: [...new Set([...OFFERED_TIMES, present])].map((value) => ({
      value,
      label: reports.timeChoice(format.hour(Temporal.PlainTime.from(value))),
      chosen: value === present,
    })),
  });
};

const KINDS_OF_CLOSE = ["week", "month"] as const;

const chosenKinds = (closes: CloseChoices) => KINDS_OF_CLOSE.filter((kind) => closes[kind]);

const closesInWords = (closes: CloseChoices, { reports }: ReportTexts): string =>
  together(...chosenKinds(closes).map((kind) => reports.closesOn[kind])) || reports.closesOff;

const closesMenu = (id: string, closes: CloseChoices, { reports }: ReportTexts): Row =>
  selectRow({
    id,
    placeholder: reports.closesField,
    severalOrNone: true,
    options: KINDS_OF_CLOSE.map((value) => ({
      value,
      label: reports.closes[value],
      chosen: closes[value],
    })),
  });

/** Asks for the channel of a server without one. */
export const reportSetupView = (locale: Locale): Reply => {
  const texts = reportTexts(locale);
  const { reports } = texts;
  return reply(
    { title: reports.title, description: `${reports.setup}\n\n${reports.whoSees}` },
    channelMenu(ids.channel, texts),
  );
};

const besideFields = (
  { alerts, more, members }: SettingsBeside,
  locale: Locale,
): readonly APIEmbedField[] => [
  alertSummary(alerts, locale),
  ...more,
  ...membersFields(members, locale),
];

/** Settings of the daily report, its next date and its readers. */
export const reportRouteView = (facts: ReportRouteFacts): Reply => {
  const { route, audience, now, saved, closes, beside, locale } = facts;
  const texts = reportTexts(locale);
  const { common, reports, format } = texts;
  const next = nextReport(route, now, audience.settledDay);
  return reply(
    {
      tone: route.suspendedAt === undefined ? "accent" : "warning",
      title: saved ? reports.saved : reports.title,
      description: [reports.whoSees, ...remarkInWords(route, next, texts)].join("\n\n"),
      fields: [
        inline(common.channel, channel(route.channelId)),
        inline(reports.time, format.hour(route.time)),
        inline(reports.zone, zoneInWords(route, texts)),
        (isRouteOpen(route) ? inline : line)(common.state, routeState(route, reports)),
        inline(reports.audience, reports.audienceOf(audience.consenting, audience.connected)),
        inline(reports.closesField, closesInWords(closes, texts)),
        ...nextFields(facts, next, texts),
        ...(beside === undefined ? [] : besideFields(beside, locale)),
      ],
    },
    ...(beside === undefined
      ? [
          channelMenu(ids.channel, texts, route),
          timeMenu(ids.time, route, texts),
          closesMenu(ids.closes(shownChoices(chosenKinds(closes))), closes, texts),
        ]
      : []),
    selectRow({
      id: ids.empty,
      placeholder: reports.emptyPlaceholder,
      options: emptyChoices.map((value) => ({
        value,
        label: reports.emptyChoices[value],
        chosen: value === route.emptyChoice,
      })),
    }),
    ...(beside === undefined
      ? [
          buttonRow(
            { id: ids.test, label: reports.test, style: "primary" },
            switchButton(ids.switch, route.active, texts),
          ),
        ]
      : membersRows(beside.members, locale)),
  );
};

/** Settings of a guild without a channel for the daily report. */
export const noReportView = (beside: SettingsBeside, locale: Locale): Reply => {
  const texts = reportTexts(locale);
  const { title, next } = texts.userErrors.report_not_configured;
  const fields = besideFields(beside, locale);
  const rows = membersRows(beside.members, locale);
  return reply({ tone: "warning", title, description: next, fields }, ...rows);
};

/** To a seller who agreed to the report: it is posted in this channel from now on. */
export const reportMoveNotice = (facts: ChosenChannelFacts): DeliveryPayload => {
  const texts = reportTexts(facts.locale);
  const { move } = texts.reports;
  const id = peopleIds.stopIn(facts.guildId);
  const stop = buttonRow({ id, label: move.stop, style: "secondary" });
  return chosenChannelPost(facts, move, texts, stop);
};

/** `channelId`: undefined for a test by direct message. */
export const testOutcomeView = (
  result: TestPostResult,
  channelId: string | undefined,
  locale: Locale,
): Reply => {
  const { testOutcomes, own } = reportTexts(locale).reports;
  const { title, text } = testOutcomes[result];
  const isClosed = channelId === undefined && result === "lost_channel";
  const told = text(channelId === undefined ? own.place : channel(channelId));
  const tone = result === "posted" ? "accent" : "warning";
  return reply({ tone, title, description: isClosed ? own.closed : told });
};

/** A time zone as a suggestion: the places that use it, then its IANA name. */
export const timeZoneName = ({ zone, places }: TimeZoneChoice): string =>
  cut(places === undefined ? zone : `${places} · ${zone}`, limits.choiceName);

export interface OwnReportFacts {
  readonly hour: DirectHour;
  readonly now: Temporal.Instant;
  /** The part that was changed just now. */
  readonly saved: "hour" | "closes" | undefined;
  /** Closes that come with the daily report. */
  readonly closes: CloseChoices;
  readonly ownerId: string;
  readonly locale: Locale;
}

/** Settings of a seller's report by direct message. */
export const ownReportView = (facts: OwnReportFacts): Reply => {
  const { hour, now, saved, closes, ownerId, locale } = facts;
  const texts = reportTexts(locale);
  const { reports, format } = texts;
  const { day, dueAt } = nextReport(hour, now, hour.lastDay);
  const coming = saved === "hour" ? dayDueNow(hour, now) : undefined;
  const words = reports.next(fullAndRelative(dueAt), day, windowInWords(day, texts));
  const promise = coming ? `${reports.coming(coming, false)}\n${words}` : words;
  return reply(
    {
      title: saved ? reports.own.saved : reports.own.title,
      fields: [
        inline(reports.time, format.hour(hour.time)),
        inline(reports.zone, zoneInWords(hour, texts)),
        line(reports.nextReport, hour.isPaused ? accountTexts(locale).account.onHold : promise),
      ],
    },
    timeMenu(ownIds.time(ownerId), hour, texts),
    closesMenu(ownIds.closes(ownerId + shownChoices(chosenKinds(closes))), closes, texts),
    buttonRow({ id: ownIds.test(ownerId), label: reports.test, style: "primary" }),
  );
};
