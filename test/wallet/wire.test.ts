import fc from "fast-check";
import { expect, test } from "vitest";
import { storedInstant } from "#src/database/columns.ts";
import { wireInstant, wireText, wireTime } from "#src/wallet/wire.ts";

const CENTURY_HOURS = 100 * 366 * 24;

const two = (most: number) => fc.nat(most).map((value) => String(value).padStart(2, "0"));

const isoTimes = fc
  .record({
    year: fc.nat(9_999).map((year) => String(year).padStart(4, "0")),
    month: fc.integer({ min: 1, max: 12 }).map((month) => String(month).padStart(2, "0")),
    hour: two(23),
    zone: fc.oneof(
      fc.constant("Z"),
      fc.tuple(fc.constantFrom("+", "-"), two(23)).map(([sign, hours]) => `${sign}${hours}:00`),
    ),
  })
  .map(({ year, month, hour, zone }) => `${year}-${month}-01T${hour}:59:59.999${zone}`);

test("each time of the service can be stored, as can a century after it", () => {
  const times = fc.oneof(
    isoTimes,
    fc.constantFrom("9999-12-31T23:59:59-03:00", "0000-01-01T00:00:00+14:00", 1.7952e15, 8.64e15),
    fc.nat({ max: 8.64e15 }),
  );
  fc.assert(
    fc.property(times, (time) => {
      const instant = wireTime.parse(time);
      expect(() => storedInstant(instant)).not.toThrow();
      expect(() => storedInstant(instant.add({ hours: CENTURY_HOURS }))).not.toThrow();
    }),
  );
});

test("a time of these centuries is the time that the service wrote", () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date("1970-01-01T00:00:00Z"),
        max: new Date("8999-12-31T23:59:59Z"),
        noInvalidDate: true,
      }),
      (date) => {
        expect(wireInstant.parse(date.toISOString()).epochMilliseconds).toBe(date.getTime());
      },
    ),
  );
});

test("a blank text counts as absent, so that no view quotes it as the service's words", () => {
  expect(["", " \n", " ok"].map((text) => wireText.parse(text))).toEqual([
    undefined,
    undefined,
    " ok",
  ]);
});
