import type { Symptom } from "./life.ts";

/** A mistake inserted into the bot's source, which the crash loop must detect by its effects. */
export interface PlantedBug {
  /** Path of the module within the project. */
  readonly module: string;
  /** Occurs exactly once in the module. */
  readonly text: string;
  readonly becomes: string;
}

interface MoneyBug extends PlantedBug, Symptom {
  /** Share of the refunds whose payment is contested before the first click; most when only a dispute shows the bug. */
  readonly contestedShare?: number;
}

export const PLANTED = {
  /** Repeats a request that may have arrived. */
  "retry-on-unknown": {
    module: "src/withdrawals/withdraw-send.service.ts",
    text: "return await wallet.withdraw(key, { amount: op.amount, pixKey, turbo });",
    becomes:
      "const order = { amount: op.amount, pixKey, turbo };" +
      "const first = await wallet.withdraw(key, order);" +
      'return first.state === "unknown" ? await wallet.withdraw(key, order) : first;',
    aim: "money",
    shows: "slowly",
  },
  /** Repeats the request for a refund that may have arrived. */
  "refund-retried": {
    module: "src/withdrawals/withdraw-send.service.ts",
    text: 'return await wallet.refund(key, op.targetTxid ?? "");',
    becomes:
      'const first = await wallet.refund(key, op.targetTxid ?? "");' +
      'return first.state === "unknown" ? await wallet.refund(key, op.targetTxid ?? "") : first;',
    aim: "refunds",
    shows: "slowly",
  },
  /** Repeats the request for a charge that may have arrived. */
  "charge-retried": {
    module: "src/charges/charges.service.ts",
    text: "const answer = await wallet.createCharge(key, request);",
    becomes:
      "const first = await wallet.createCharge(key, request);" +
      "const answer =" +
      ' first.state === "unknown" ? await wallet.createCharge(key, request) : first;',
    aim: "charges",
    shows: "slowly",
  },
  /** Commits that sales were seen before the deliveries that tell them. */
  "notice-window-moved-first": {
    module: "src/sale-notices/sale-watch.store.ts",
    text: `record: (done: DoneLook, at: Temporal.Instant): Promise<boolean> =>
    groupCommit((trx) => record(trx, done, at)),`,
    becomes:
      "record: async (done, at) => {" +
      "const seen = await groupCommit((trx) => record(trx, { ...done, deliveries: [] }, at));" +
      "if (seen) await groupCommit((trx) => enqueueDeliveries(trx, done.deliveries, at));" +
      "return seen; },",
    aim: "sales",
    shows: "late",
  },
  /** Asks for disputes before the confirmation alone. */
  "disputes-asked-before-only": {
    module: "src/withdrawals/withdraw-send.service.ts",
    text: "? await lateRefundRefusal(needs, confirmed, connection)",
    becomes: "? undefined",
    contestedShare: 0.8,
    aim: "refunds",
    shows: "slowly",
  },
  /** Treats an operation interrupted while sending as unsent. */
  "sending-is-refused": {
    module: "src/withdrawals/withdraw-journal.store.ts",
    text: 'return { to: "unknown", change: { nextCheckAt: at }, reason: "left_behind" } as const;',
    becomes: 'return { to: "refused_local", change: {}, reason: "left_behind" } as const;',
    aim: "money",
  },
} as const satisfies Readonly<Record<string, MoneyBug>>;

export type PlantedName = keyof typeof PLANTED;

export const bugOf = (name: PlantedName): MoneyBug => PLANTED[name];

/** @throws Error when the text to replace is missing: an unplanted bug proves nothing. */
export const plant = ({ module, text, becomes }: PlantedBug, source: string): string => {
  if (source.split(text).length !== 2) throw new Error(`${module} does not hold: ${text}`);
  return source.replace(text, () => becomes);
};
