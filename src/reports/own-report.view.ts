import type { CloseChoices } from "../closes/close.ts";
import type { Locale } from "../shared/locale.ts";
import { inline, line } from "../ui/embed.ts";
import { fullAndRelative } from "../ui/format.ts";
import { buttonRow, reply, type Reply } from "../ui/reply.ts";
import type { TestPostResult } from "./report-route.ts";
import { closesMenu, timeMenu, zoneInWords } from "./report-route.view.ts";
import { type DirectHour, nextReport } from "./report-schedule.ts";
import { windowInWords } from "./sales-report.view.ts";
import { reportTexts } from "./texts.ts";

export interface OwnReportFacts {
  readonly hour: DirectHour;
  readonly now: Temporal.Instant;
  /** Whether it was changed just now. */
  readonly saved: boolean;
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
  return reply(
    {
      title: saved ? reports.own.saved : reports.own.title,
      fields: [
        inline(reports.time, format.hour(hour.time)),
        inline(reports.zone, zoneInWords(hour, texts)),
        line(
          reports.nextReport,
          reports.next(fullAndRelative(dueAt), day, windowInWords(day, texts)),
        ),
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
