import { expect, test } from "vitest";
import { closeFigures, newestPeriod } from "#src/closes/close.ts";
import { closeChart } from "#src/closes/close.view.ts";
import { createPictureMaker } from "#src/reports/picture/make-picture.ts";
import { chartFiles } from "#src/reports/picture/post-picture.ts";
import { daysOf } from "#src/reports/sales-period.ts";
import { quietLog } from "../support/databases.ts";
import { salesDay } from "./close-samples.ts";

test("a close without a period before it is drawn from the outbox, which keeps JSON", async () => {
  const week = newestPeriod("week", Temporal.PlainDate.from("2026-11-22"));
  const days = daysOf(week).map((day) => salesDay(day, 100));
  const figures = closeFigures(week, [{ ownerId: "11", days }]);
  const kept = JSON.parse(JSON.stringify({ chart: closeChart(figures, "pt-BR") })) as {
    readonly chart: NonNullable<ReturnType<typeof closeChart>>;
  };
  const [file] = await chartFiles(createPictureMaker(), quietLog)(kept);
  expect(file?.contentType).toBe("image/png");
  expect(
    Buffer.from(file?.data ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
});
