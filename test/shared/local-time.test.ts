import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { missingPermissions } from "#src/reports/report-route.ts";
import { managesServer } from "#src/shared/permissions.ts";
import {
  formatTimeOfDay,
  parseTimeOfDay,
  parseTimeZone,
  searchTimeZones,
} from "#src/shared/local-time.ts";
import { UserError } from "#src/shared/errors.ts";

const reasonOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof UserError ? error.reason : error;
  }
};

describe("an hour", () => {
  test.each([
    ["21:05", "21:05"],
    ["9:05 PM", "21:05"],
    ["9 pm", "21:00"],
    ["12:30am", "00:30"],
    ["12 PM", "12:00"],
    ["9:05", "09:05"],
    [" 21h05 ", "21:05"],
    ["21h", "21:00"],
    ["21H", "21:00"],
    ["00:00", "00:00"],
    ["23:59", "23:59"],
    ["9:05\u202fPM", "21:05"],
    ["\u200e21:05\u200b", "21:05"],
  ])("typed %s is %s", (typed, time) => {
    expect(formatTimeOfDay(parseTimeOfDay(typed))).toBe(time);
  });

  test.each([
    "24:00",
    "12:60",
    "13 PM",
    "0:30 AM",
    "9 :00",
    "9:",
    "9",
    "",
    "9:5",
    "21:05:00",
    "-1:00",
    "noon",
    "2105",
    "1h2h",
  ])("typed %s is refused", (given) => {
    expect(reasonOf(() => parseTimeOfDay(given))).toEqual({ kind: "invalid_time", given });
  });

  test("reads back what was written, every minute of a day", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_439 }), (minutes) => {
        const time = new Temporal.PlainTime(Math.floor(minutes / 60), minutes % 60);
        expect(parseTimeOfDay(formatTimeOfDay(time)).equals(time)).toBe(true);
      }),
    );
  });
});

describe("a zone", () => {
  test.each([
    ["america/sao_paulo", "America/Sao_Paulo"],
    [" Europe/Lisbon ", "Europe/Lisbon"],
    ["UTC", "UTC"],
    ["\ufeffUTC", "UTC"],
  ])("typed %s is %s", (typed, zone) => {
    expect(parseTimeZone(typed)).toBe(zone);
  });

  test.each(["", "-03:00", "+03", "Brasília", "America/Nowhere", "2026-01-01T00:00[UTC]"])(
    "typed %s is refused",
    (given) => {
      expect(reasonOf(() => parseTimeZone(given))).toEqual({ kind: "invalid_time_zone", given });
    },
  );

  test.each([
    ["", "America/Sao_Paulo"],
    ["brasilia", "America/Sao_Paulo"],
    ["MANAUS", "America/Manaus"],
    ["são luís", "America/Fortaleza"],
    ["sao paulo", "America/Sao_Paulo"],
    ["lisbon", "Europe/Lisbon"],
  ])("is found first when somebody types %j", (typed, zone) => {
    expect(searchTimeZones(typed, 25)[0]?.zone).toBe(zone);
  });

  test("is suggested at most 25 times, and only when it can be chosen", () => {
    const suggested = searchTimeZones("a", 25).map(({ zone }) => zone);
    expect(suggested).toHaveLength(25);
    expect(suggested.map(parseTimeZone)).toEqual(suggested);
  });
});

describe("permissions", () => {
  test("of 84992 are all that is needed for reports and alerts, and each one is missed by name", () => {
    expect(missingPermissions(84_992n)).toEqual([]);
    const missing = [10n, 11n, 14n, 16n].map((bit) => missingPermissions(84_992n & ~(1n << bit)));
    expect(missing).toEqual([
      ["view_channel"],
      ["send_messages"],
      ["embed_links"],
      ["read_message_history"],
    ]);
  });

  test("of an administrator hold all others", () => {
    expect([missingPermissions(8n), managesServer(8n)]).toEqual([[], true]);
  });

  test("to set up the bot are Manage Server, not any other", () => {
    expect([managesServer(32n), managesServer(~(32n | 8n) & 0xffff_ffffn)]).toEqual([true, false]);
  });
});
