/** A mistake in the bot's own text, which the crash loop has to find by what comes of it. */
export interface PlantedBug {
  /** Path of the module within the project. */
  readonly module: string;
  /** Found there exactly once. */
  readonly text: string;
  readonly becomes: string;
}

export const PLANTED = {
  /** A request that may have arrived is sent again. */
  "retry-on-unknown": {
    module: "src/services/money/withdraw-send.ts",
    text: "return await wallet.withdraw(key, { amount: op.amount, pixKey, turbo });",
    becomes:
      "const order = { amount: op.amount, pixKey, turbo };" +
      "const first = await wallet.withdraw(key, order);" +
      'return first.state === "unknown" ? await wallet.withdraw(key, order) : first;',
  },
  /** What a dead process was sending counts as not sent. */
  "sending-is-refused": {
    module: "src/store/withdraw-journal.ts",
    text: 'return { to: "unknown", change: { nextCheckAt: at }, reason: "left_behind" } as const;',
    becomes: 'return { to: "refused_local", change: {}, reason: "left_behind" } as const;',
  },
} as const satisfies Readonly<Record<string, PlantedBug>>;

export type PlantedName = keyof typeof PLANTED;

/** @throws Error when the bug has no place any more: a bug that is not planted proves nothing. */
export const plant = ({ module, text, becomes }: PlantedBug, source: string): string => {
  if (source.split(text).length !== 2) throw new Error(`${module} does not hold: ${text}`);
  return source.replace(text, () => becomes);
};
