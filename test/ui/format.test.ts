import { describe, expect, test } from "vitest";
import { cents } from "#src/shared/money.ts";
import { localeOf } from "#src/shared/locale.ts";
import { textsFor } from "#src/texts.ts";
import { cut, limits } from "#src/ui/embed.ts";
import { safe, STORY_LENGTH } from "#src/ui/format.ts";

const portuguese = textsFor("pt-BR");
const english = textsFor("en-US");

describe("numbers and lists", () => {
  test("are written as in Brazil", () => {
    const { format } = portuguese;
    expect([format.count(1_234_567), format.percent(1_234), format.list(["a", "b", "c"])]).toEqual([
      "1.234.567",
      "12,34%",
      "a, b e c",
    ]);
    const at = Temporal.PlainDateTime.from("2026-01-09T09:30");
    expect([format.moment(at), format.hour({ hour: 21, minute: 0 }), format.dateTime(at)]).toEqual([
      "09:30 de 09/01",
      "21:00",
      "09/01/2026 09:30",
    ]);
    expect([1, 999, 90_000, 90_001].map(format.wait)).toEqual([
      "1 segundo",
      "1 segundo",
      "90 segundos",
      "2 minutos",
    ]);
  });

  test("are written as in English", () => {
    const { format } = english;
    expect([format.count(1_234_567), format.percent(5), format.list(["a", "b"])]).toEqual([
      "1,234,567",
      "0.05%",
      "a and b",
    ]);
    expect(format.reais(cents(-123_456_789))).toBe("-R$\u00a01,234,567.89");
    const at = Temporal.PlainDateTime.from("2026-01-09T00:05");
    expect([format.moment(at), format.hour({ hour: 12, minute: 0 }), format.dateTime(at)]).toEqual([
      "12:05 AM on Jan 9",
      "12:00 PM",
      "Jan 9, 2026, 12:05 AM",
    ]);
    expect([1, 61_000, 100_000].map(format.wait)).toEqual(["1 second", "61 seconds", "2 minutes"]);
  });
});

test("a buyer's longest text in letters of two units each fits into a field", () => {
  expect(cut(safe("𝗕".repeat(4_000), STORY_LENGTH), limits.fieldValue)).toContain("𝗕".repeat(400));
});

test.each([
  ["pt-BR", "pt-BR"],
  [undefined, "pt-BR"],
  ["en-GB", "en-US"],
  ["es-ES", "en-US"],
])("a client in %s reads %s", (client, locale) => {
  expect(localeOf(client)).toBe(locale);
});

test.each([
  ["01:00", "à 01:00"],
  ["01:30", "à 01:30"],
  ["00:00", "às 00:00"],
  ["10:00", "às 10:00"],
  ["21:05", "às 21:05"],
])("in Portuguese silence to %s lasts %s", (hour, said) => {
  expect(portuguese.disputeAlerts.quietChoice("22:00", hour)).toBe(`Silêncio das 22:00 ${said}`);
  expect(portuguese.disputeAlerts.quietChoice("01:00", hour)).toBe(`Silêncio da 01:00 ${said}`);
});
