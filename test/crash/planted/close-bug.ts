import type { PlantedBug } from "../money/planted.ts";

/** Commits that a week or month is done two seconds before the delivery that tells it. Most processes live shorter. */
export const CLOSE_MARKED_FIRST: PlantedBug = {
  module: "src/closes/closes.store.ts",
  text: `record: (...close: CloseRecord): Promise<boolean> =>
    groupCommit((trx) => {
      const [{ route }] = close;
      return route.target.kind === "channel"
        ? recordClose(trx, ...close)
        : recordDirectClose(trx, ...close);
    }),`,
  becomes:
    "record: async (owed, accountIds, delivery, at) => {" +
    "const done = [owed, accountIds, undefined, at];" +
    "const recordOnly = owed.route.target.kind === 'channel' ? recordClose : recordDirectClose;" +
    "const marked = await groupCommit((trx) => recordOnly(trx, ...done));" +
    "if (!marked || !delivery) return marked;" +
    "await new Promise((resolve) => setTimeout(resolve, 2_000));" +
    "await groupCommit((trx) => enqueueDelivery(trx, delivery, at));" +
    "return marked; },",
};
