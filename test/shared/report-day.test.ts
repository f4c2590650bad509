import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  brasiliaWindow,
  closeOf,
  justClosedDay,
  openingOf,
  openReportDay,
  parseReportDay,
} from "#src/shared/report-day.ts";
import { UserError } from "#src/shared/errors.ts";
import { anyText } from "../support/any-text.ts";

const now = Temporal.Instant.from("2026-11-20T23:30:00Z");
const parsed = (typed: string): string => parseReportDay(typed, now).toString();
const reasonFor = (typed: string): unknown => {
  try {
    return parseReportDay(typed, now).toString();
  } catch (error) {
    return error instanceof UserError ? error.reason : error;
  }
};

const pastDays = fc
  .integer({ min: 0, max: 9_000 })
  .map((days) => Temporal.PlainDate.from("2026-11-20").subtract({ days }));

describe("a typed day", () => {
  test.each([
    ["hoje", "2026-11-20"],
    [" Hoje ", "2026-11-20"],
    ["ontem", "2026-11-19"],
    ["\u200bontem", "2026-11-19"],
    ["yesterday", "2026-11-19"],
    ["20/11/2026", "2026-11-20"],
    ["9/1/26", "2026-01-09"],
    ["09-01-2026", "2026-01-09"],
    ["29.02.2024", "2024-02-29"],
  ])("%s is the day that it says, in UTC", (typed, day) => {
    expect(parsed(typed)).toBe(day);
  });

  test.each([
    "",
    "31/02/2026",
    "29/02/2025",
    "2026-11-20",
    "11/2026",
    "1/1/1",
    "00/01/2026",
    "01/11-15",
    "x",
  ])("%s is not understood, and comes back as it was typed", (typed) => {
    expect(reasonFor(typed)).toEqual({ kind: "invalid_date", given: typed });
  });

  test("of tomorrow has not begun", () => {
    expect(reasonFor("21/11/2026")).toEqual({ kind: "future_date", given: "21/11/2026" });
  });

  test("may be the open one, which turns at midnight UTC: 21:00 in Brasília", () => {
    const at = Temporal.Instant.from("2026-11-20T21:00:00-03:00");
    expect(openReportDay(at).toString()).toBe("2026-11-21");
    expect(parseReportDay("21/11/2026", at)).toEqual(openReportDay(at));
  });

  test.each([
    ["20:59:59", undefined, "2026-11-19"],
    ["21:00:00", "2026-11-20", "2026-11-19"],
    ["23:59:59", "2026-11-20", "2026-11-19"],
  ])("at %s today may have closed, and yesterday is Brasília's", (time, closed, yesterday) => {
    const at = Temporal.Instant.from(`2026-11-20T${time}-03:00`);
    expect(justClosedDay(at)?.toString()).toBe(closed);
    expect(parseReportDay("ontem", at).toString()).toBe(yesterday);
  });

  test("written DD/MM/YYYY is that day, for every past day", () => {
    fc.assert(
      fc.property(pastDays, (day) => {
        const typed = `${String(day.day)}/${String(day.month)}/${day.year}`;
        expect(parsed(typed)).toBe(day.toString());
      }),
    );
  });

  test("is a day or a reason, whatever is typed", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.stringMatching(/^[\d/]{0,10}$/)), (typed) => {
        const outcome = reasonFor(typed);
        expect(typeof outcome === "string" || (outcome as { given: string }).given === typed).toBe(
          true,
        );
      }),
    );
  });
});

describe("the window of a day", () => {
  test("is 24 hours of UTC, seen on Brasília's clocks", () => {
    fc.assert(
      fc.property(pastDays, (day) => {
        const { from, to } = brasiliaWindow(day);
        expect(from.toZonedDateTime("America/Sao_Paulo").toInstant()).toEqual(openingOf(day));
        expect(to.toZonedDateTime("America/Sao_Paulo").toInstant()).toEqual(closeOf(day));
        expect(closeOf(day).since(openingOf(day)).total("hours")).toBe(24);
      }),
    );
  });

  test.each([
    ["2026-11-20", "2026-11-19T21:00:00", "2026-11-20T21:00:00"],
    ["2018-12-20", "2018-12-19T22:00:00", "2018-12-20T22:00:00"],
  ])("of %s goes from %s, whatever summer time there was", (day, from, to) => {
    const window = brasiliaWindow(Temporal.PlainDate.from(day));
    expect([window.from.toString(), window.to.toString()]).toEqual([from, to]);
  });
});
