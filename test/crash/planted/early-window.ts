import { closeOf } from "#src/shared/report-day.ts";
import { runBotProcess } from "#src/sandbox/bot-process.ts";

/** Planted: marks a day as reported before reading its report, so that a crash or a failed read loses it. */
runBotProcess({
  ledger: (real) => ({
    ...real,
    owing: async function* (latestClosedDay, hours) {
      for await (const page of real.owing(latestClosedDay, hours)) {
        for (const { accountId } of hours?.length === 0 ? [] : page)
          await real.record(accountId, latestClosedDay, undefined, closeOf(latestClosedDay));
        yield page;
      }
    },
  }),
});
