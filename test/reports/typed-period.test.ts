import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UserError } from "#src/shared/errors.ts";
import { earlierDay, openReportDay, todayOf } from "#src/shared/report-day.ts";
import { daysOf } from "#src/reports/sales-period.ts";
import { parsePeriod, periodText } from "#src/reports/typed-period.ts";
import { anyText } from "../support/any-text.ts";

/** A Friday, 15:00 in Brasília. */
const NOW = Temporal.Instant.from("2026-11-20T18:00:00Z");
/** The same Friday, 22:00 in Brasília: the service's day is the 21st. */
const EVENING = Temporal.Instant.from("2026-11-21T01:00:00Z");

const shown = (typed: string, now = NOW): string => {
  const { from, to } = parsePeriod(typed, now);
  return from.equals(to) ? from.toString() : `${from.toString()} to ${to.toString()}`;
};
const mistake = (typed: string, now = NOW): string | undefined => {
  try {
    parsePeriod(typed, now);
    return undefined;
  } catch (error) {
    return error instanceof UserError ? error.reason.kind : "unexpected";
  }
};

describe("a typed period", () => {
  test.each([
    ["hoje", "2026-11-20"],
    ["  HOJE ", "2026-11-20"],
    ["yesterday", "2026-11-19"],
    ["anteontem", "2026-11-18"],
    ["7 dias", "2026-11-14 to 2026-11-20"],
    ["últimos 7 dias", "2026-11-14 to 2026-11-20"],
    ["30d", "2026-10-22 to 2026-11-20"],
    ["1 dia", "2026-11-20"],
    ["semana", "2026-11-16 to 2026-11-20"],
    ["esta semana", "2026-11-16 to 2026-11-20"],
    ["semana passada", "2026-11-09 to 2026-11-15"],
    ["este mês", "2026-11-01 to 2026-11-20"],
    ["mes", "2026-11-01 to 2026-11-20"],
    ["mês passado", "2026-10-01 to 2026-10-31"],
    ["mês\u202fpassado\u2060", "2026-10-01 to 2026-10-31"],
    ["last month", "2026-10-01 to 2026-10-31"],
    ["02/2024", "2024-02-01 to 2024-02-29"],
    ["2026-10", "2026-10-01 to 2026-10-31"],
    ["quinta", "2026-11-19"],
    ["Quinta-feira", "2026-11-19"],
    ["quinta passada", "2026-11-19"],
    ["sexta", "2026-11-13"],
    ["sáb", "2026-11-14"],
    ["monday", "2026-11-16"],
    ["last friday", "2026-11-13"],
    ["19/11/2026", "2026-11-19"],
    ["9/11/26", "2026-11-09"],
    ["2026-11-19", "2026-11-19"],
    ["19/11", "2026-11-19"],
    ["22/12", "2025-12-22"],
    ["29/02", "2024-02-29"],
    ["17/11 a 19/11", "2026-11-17 to 2026-11-19"],
    ["de 17/11 até 19/11", "2026-11-17 to 2026-11-19"],
    ["17-11 - 19-11", "2026-11-17 to 2026-11-19"],
    ["28/12 a 03/01", "2025-12-28 to 2026-01-03"],
    ["01/11 a 30/11", "2026-11-01 to 2026-11-20"],
    ["01/11/2026 a 30/11/2026", "2026-11-01 to 2026-11-20"],
    ["20/11 a 03/12", "2026-11-20"],
    ["01/11/2026 to 20/11/2026", "2026-11-01 to 2026-11-20"],
    ["2026-11-01..2026-11-05", "2026-11-01 to 2026-11-05"],
    ["segunda a quinta", "2026-11-16 to 2026-11-19"],
    ["segunda a hoje", "2026-11-16 to 2026-11-20"],
    ["19/11 a 19/11", "2026-11-19"],
  ])("%s is %s", (typed, period) => {
    expect(shown(typed)).toBe(period);
  });

  test.each([
    ["hoje", "2026-11-20"],
    ["ontem", "2026-11-19"],
    ["7 dias", "2026-11-14 to 2026-11-20"],
    ["21/11", "2026-11-21"],
    ["21/11/2026", "2026-11-21"],
  ])("after 21:00 %s is %s: the day that people still call today has closed", (typed, period) => {
    expect(shown(typed, EVENING)).toBe(period);
  });

  test.each([
    ["", "invalid_period"],
    ["sempre", "invalid_period"],
    ["31/02/2026", "invalid_period"],
    ["30/02", "invalid_period"],
    ["0 dias", "invalid_period"],
    ["-7 dias", "invalid_period"],
    ["7", "invalid_period"],
    ["13/2026", "invalid_period"],
    ["01/11-15", "invalid_period"],
    ["01/01/1999", "invalid_period"],
    ["20/11/2026 a 10/11/2026", "invalid_period"],
    ["10/11 a", "invalid_period"],
    ["@everyone", "invalid_period"],
    ["\u202e7 dias", "invalid_period"],
    ["__proto__", "invalid_period"],
    ["hoje".repeat(100), "invalid_period"],
    ["32 dias", "period_too_long"],
    ["99999 dias", "period_too_long"],
    ["20/10/2026 a 20/11/2026", "period_too_long"],
    ["20/11/2025 a 05/11/2026", "period_too_long"],
    ["20/11 a 05/11", "period_too_long"],
    ["15/11 a 01/11", "period_too_long"],
    ["21/11", "future_date"],
    ["21/12", "future_date"],
    ["21/11/2026", "future_date"],
    ["2099-01", "future_date"],
    ["21/11 a 30/11", "future_date"],
    ["21/11/2026 a 30/11/2026", "future_date"],
  ])("%s is refused as %s", (typed, kind) => {
    expect(mistake(typed)).toBe(kind);
  });

  const instant = fc
    .integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
    .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));
  const words = fc.constantFrom(
    "hoje",
    "ontem",
    "anteontem",
    "semana",
    "semana passada",
    "este mês",
    "mês passado",
    "7 dias",
    "31 dias",
    "segunda",
    "quinta",
    "domingo",
    "segunda a domingo",
    "sexta a hoje",
  );

  test("in known words is 1 to 31 days, none of them in the future, at any time", () => {
    fc.assert(
      fc.property(words, instant, (typed, now) => {
        const period = parsePeriod(typed, now);
        expect(daysOf(period).length).toBeGreaterThanOrEqual(1);
        expect(daysOf(period).length).toBeLessThanOrEqual(31);
        expect(Temporal.PlainDate.compare(period.to, openReportDay(now))).toBeLessThanOrEqual(0);
      }),
    );
  });

  test.each([
    ["2026-01-10T15:00:00Z", "20/12 a 31/12", "2025-12-20 to 2025-12-31"],
    ["2026-12-30T15:00:00Z", "28/12 a 03/01", "2026-12-28 to 2026-12-30"],
    ["2026-11-21T01:00:00Z", "01/11 a 30/11", "2026-11-01 to 2026-11-21"],
  ])("at %s, %s is %s", (at, typed, period) => {
    expect(shown(typed, Temporal.Instant.from(at))).toBe(period);
  });

  const yearless = ({ day, month }: Temporal.PlainDate): string => `${day}/${month}`;

  test("without years goes up to the present day, or is refused where it comes within 31 days", () => {
    const ahead = fc.integer({ min: -300, max: 60 });
    fc.assert(
      fc.property(instant, ahead, fc.integer({ min: 0, max: 30 }), (now, days, length) => {
        const open = openReportDay(now);
        const first = open.add({ days });
        const typed = `${yearless(first)} a ${yearless(first.add({ days: length }))}`;
        if (days > 0) {
          if (days + length <= 31) expect(mistake(typed, now)).toBe("future_date");
          return;
        }
        const { from, to } = parsePeriod(typed, now);
        expect(from).toEqual(first);
        expect(to).toEqual(earlierDay(first.add({ days: length }), open));
      }),
    );
  });

  test("is found again by the text that buttons carry", () => {
    fc.assert(
      fc.property(words, instant, (typed, now) => {
        const period = parsePeriod(typed, now);
        expect(parsePeriod(periodText(period), now)).toEqual(period);
      }),
    );
  });

  test("of any text at all is a period of at most 31 days or one of three mistakes", () => {
    const mistakes = ["invalid_period", "period_too_long", "future_date"];
    const dates = fc.stringMatching(/^[0-9/. a-]{0,24}$/);
    fc.assert(
      fc.property(fc.oneof(anyText, dates), instant, (typed, now) => {
        const kind = mistake(typed, now);
        if (kind === undefined)
          expect(daysOf(parsePeriod(typed, now)).length).toBeLessThanOrEqual(31);
        else expect(mistakes).toContain(kind);
      }),
      { numRuns: 1_000 },
    );
  });

  test("ends with Brasília's today at every hour", () => {
    fc.assert(
      fc.property(instant, (now) => {
        expect(parsePeriod("7 dias", now).to).toEqual(todayOf(now));
      }),
    );
  });
});
