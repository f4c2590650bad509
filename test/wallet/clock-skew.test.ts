import { expect, test } from "vitest";

import { clockSkewMs } from "#src/wallet/clock-skew.ts";

const OURS = Temporal.Instant.from("2025-03-14T13:05:10Z").epochMilliseconds;

test.each([
  ["Fri, 14 Mar 2025 13:05:20 GMT", 10_500],
  ["Fri, 14 Mar 2025 13:05:09 GMT", -500],
  ["Fri, 14 Mar 2025 10:05:10 GMT", -3 * 3_600_000 + 500],
  [undefined, undefined],
  ["", undefined],
  ["soon", undefined],
  ["2025-03-14T13:05:20Z", undefined],
  ["14/03/2025", undefined],
  ["Fri, 99 Mar 2025 13:05:20 GMT", undefined],
  ["1741957520", undefined],
])("the clock of a service that dates its answer %j is %j ms ahead of ours", (date, skewMs) => {
  expect(clockSkewMs(date, OURS)).toBe(skewMs);
});
