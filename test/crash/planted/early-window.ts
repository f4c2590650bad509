import { closeOf } from "#src/shared/report-day.ts";
import { runBotProcess } from "#src/sandbox/bot-process.ts";

/** Planted: marks a day as reported before reading its report, so that a crash or a failed read loses it. */
runBotProcess({
  ledger: (real) => ({
    ...real,
    owing: async (latestClosedDay, hours) => {
      const subscriptions = await real.owing(latestClosedDay, hours);
      if (hours?.length === 0) return subscriptions;
      for (const { accountId } of subscriptions)
        await real.record(accountId, latestClosedDay, undefined, closeOf(latestClosedDay));
      return subscriptions;
    },
  }),
});
