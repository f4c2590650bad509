import { expect, test } from "vitest";

test("a part of an object with another time does not match", () => {
  const at = Temporal.Instant.from("2026-11-20T12:00:00Z");
  expect({ at, day: 1 }).toMatchObject({ at: Temporal.Instant.from("2026-11-20T09:00:00-03:00") });
  expect({ at, day: 1 }).not.toMatchObject({ at: at.add({ seconds: 1 }) });
  expect({ at, day: 1 }).not.toMatchObject({ at: at.toZonedDateTimeISO("UTC") });
});
