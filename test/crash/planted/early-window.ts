import { runBotProcess } from "#src/sandbox/bot-process.ts";

/** Planted: a day counts as reported before its report is read, so that a crash or a failed read loses it. */
runBotProcess({
  ledger: (real) => ({
    ...real,
    owing: async (latestClosedDay) => {
      const subscriptions = await real.owing(latestClosedDay);
      const at = Temporal.Now.instant();
      for (const { accountId } of subscriptions)
        await real.record(accountId, latestClosedDay, undefined, at);
      return subscriptions;
    },
  }),
});
