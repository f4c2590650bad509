import type { APIEmbedField } from "discord-api-types/v10";
import { isOpen } from "../delivery/delivery.ts";
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
import { alertSummary } from "../disputes/alert-route.view.ts";
import { buttonRow, reply, type Reply, type Row, selectRow } from "../ui/reply.ts";
import { channelMenu, routeState, switchButton } from "../ui/settings.ts";
import { cut, inline, limits, line } from "../ui/embed.ts";
import { type MembersFacts, membersFields, membersRows } from "../accounts/connections.view.ts";
import { channel, fullAndRelative, together } from "../ui/format.ts";
import { windowInWords } from "./sales-report.view.ts";
import { formatTimeOfDay, type TimeZoneChoice } from "../shared/local-time.ts";

export const emptyChoices: readonly EmptyReportChoice[] = ["send", "line", "skip"];

export interface ReportRouteFacts {
  readonly route: ReportRoute;
  readonly audience: ReportAudience;
  readonly now: Temporal.Instant;
  /** Whether the route was changed just now. */
  readonly saved: boolean;
  /** Custom id of the menu for days without sales. */
  readonly emptyChoiceId: string;
  /** Custom ids of the menus and buttons that change the rest; undefined beside other settings. */
  readonly menus?: {
    readonly channel: string;
    readonly time: string;
    readonly closes: string;
    readonly test: string;
    readonly on: string;
    readonly off: string;
  };
  /** Which closes the server gets besides the daily report. */
  readonly closes: CloseChoices;
  /** Alert settings to show beside the report's; `"none"` when no alert channel was chosen. */
  readonly alerts?: AlertRoute | "none";
  /** Further settings of the server to show beside the report's. */
  readonly more?: readonly APIEmbedField[];
  /** Members' connections to show beside the report's settings. */
  readonly members?: MembersFacts;
  readonly locale: Locale;
}

/** Brasília's zone by its name, others by their IANA name as code. */
export const zoneInWords = (
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
  if (!isOpen(route)) return [];
  const { reports } = texts;
  const words = reports.next(fullAndRelative(dueAt), day, windowInWords(day, texts));
  const { settledDay } = audience;
  const isSkipped = settledDay !== undefined && !nextReport(route, now).day.equals(day);
  // Without a settled day, a seller's consent may be later than the hour.
  const since = route.activeSince;
  const coming = saved && settledDay && dayDueNow({ ...route, lastDay: settledDay, since }, now);
  const before = isSkipped ? [reports.settled(settledDay)] : coming ? [reports.coming(coming)] : [];
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

export const timeMenu = (
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

const closesInWords = (closes: CloseChoices, { reports }: ReportTexts): string => {
  const chosen = KINDS_OF_CLOSE.filter((kind) => closes[kind]);
  return together(...chosen.map((kind) => reports.closesOn[kind])) || reports.closesOff;
};

export const closesMenu = (id: string, closes: CloseChoices, { reports }: ReportTexts): Row =>
  selectRow({
    id,
    placeholder: reports.closesPlaceholder,
    severalOrNone: true,
    options: KINDS_OF_CLOSE.map((value) => ({
      value,
      label: reports.closes[value],
      chosen: closes[value],
    })),
  });

/** Asks for the channel of a server without one. */
export const reportSetupView = (channelMenuId: string, locale: Locale): Reply => {
  const texts = reportTexts(locale);
  const { reports } = texts;
  return reply(
    { title: reports.title, description: `${reports.setup}\n\n${reports.whoSees}` },
    channelMenu(channelMenuId, texts),
  );
};

/** Settings of the daily report, its next date and its readers. */
export const reportRouteView = (facts: ReportRouteFacts): Reply => {
  const { route, audience, now, saved, emptyChoiceId, alerts, members, locale } = facts;
  const { more = [], menus, closes } = facts;
  const texts = reportTexts(locale);
  const { reports, format } = texts;
  const next = nextReport(route, now, audience.settledDay);
  return reply(
    {
      tone: route.suspendedAt === undefined ? "accent" : "warning",
      title: saved ? reports.saved : reports.title,
      description: [reports.whoSees, ...remarkInWords(route, next, texts)].join("\n\n"),
      fields: [
        inline(reports.channel, channel(route.channelId)),
        inline(reports.time, format.hour(route.time)),
        inline(reports.zone, zoneInWords(route, texts)),
        (isOpen(route) ? inline : line)(reports.state, routeState(route, reports)),
        inline(reports.audience, reports.audienceOf(audience.consenting, audience.connected)),
        inline(reports.closesField, closesInWords(closes, texts)),
        ...nextFields(facts, next, texts),
        ...(alerts === undefined
          ? []
          : [alertSummary(alerts === "none" ? undefined : alerts, locale)]),
        ...more,
        ...(members === undefined ? [] : membersFields(members, locale)),
      ],
    },
    ...(menus === undefined
      ? []
      : [
          channelMenu(menus.channel, texts, route),
          timeMenu(menus.time, route, texts),
          closesMenu(menus.closes, closes, texts),
        ]),
    selectRow({
      id: emptyChoiceId,
      placeholder: reports.emptyPlaceholder,
      options: emptyChoices.map((value) => ({
        value,
        label: reports.emptyChoices[value],
        chosen: value === route.emptyChoice,
      })),
    }),
    ...(menus === undefined
      ? []
      : [
          buttonRow(
            { id: menus.test, label: reports.test, style: "primary" },
            switchButton(menus, route.active, texts),
          ),
        ]),
    ...(members === undefined ? [] : membersRows(members, locale)),
  );
};

/** Settings of a guild without a channel for the daily report. */
export const noReportView = (
  alerts: AlertRoute | undefined,
  members: MembersFacts,
  locale: Locale,
  more: readonly APIEmbedField[] = [],
): Reply => {
  const texts = reportTexts(locale);
  const { title, next } = texts.userErrors.report_not_configured;
  const fields = [alertSummary(alerts, locale), ...more, ...membersFields(members, locale)];
  const rows = membersRows(members, locale);
  return reply({ tone: "warning", title, description: next, fields }, ...rows);
};

export const testOutcomeView = (
  result: TestPostResult,
  channelId: string,
  locale: Locale,
): Reply => {
  const { title, text } = reportTexts(locale).reports.testOutcomes[result];
  const tone = result === "posted" ? "accent" : "warning";
  return reply({ tone, title, description: text(channel(channelId)) });
};

/** A time zone as a suggestion: the places that use it, then its IANA name. */
export const timeZoneName = ({ zone, places }: TimeZoneChoice): string =>
  cut(places === undefined ? zone : `${places} · ${zone}`, limits.choiceName);

export interface OwnReportFacts {
  readonly hour: DirectHour;
  readonly now: Temporal.Instant;
  /** The part that was changed just now. */
  readonly saved: "hour" | "closes" | undefined;
  /** Which closes come besides the daily report. */
  readonly closes: CloseChoices;
  readonly menus: { readonly time: string; readonly closes: string; readonly test: string };
  readonly locale: Locale;
}

/** Settings of a seller's report by direct message. */
export const ownReportView = (facts: OwnReportFacts): Reply => {
  const { hour, now, saved, closes, menus, locale } = facts;
  const texts = reportTexts(locale);
  const { reports, format } = texts;
  const { day, dueAt } = nextReport(hour, now, hour.lastDay);
  const coming = saved === "hour" && !hour.isPaused ? dayDueNow(hour, now) : undefined;
  const words = reports.next(fullAndRelative(dueAt), day, windowInWords(day, texts));
  return reply(
    {
      title: saved ? reports.own.saved : reports.own.title,
      fields: [
        inline(reports.time, format.hour(hour.time)),
        inline(reports.zone, zoneInWords(hour, texts)),
        line(reports.nextReport, coming ? `${reports.coming(coming)}\n${words}` : words),
      ],
    },
    timeMenu(menus.time, hour, texts),
    closesMenu(menus.closes, closes, texts),
    buttonRow({ id: menus.test, label: reports.test, style: "primary" }),
  );
};

export const ownTestOutcomeView = (result: TestPostResult, locale: Locale): Reply => {
  const outcome = reportTexts(locale).reports.own.testOutcomes[result];
  return reply({
    tone: result === "posted" ? "accent" : "warning",
    title: outcome.title,
    description: outcome.text,
  });
};
