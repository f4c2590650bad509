/** What the sandbox tells the bot's process. */
export type ToBot =
  | {
      readonly kind: "start";
      readonly env: Readonly<Record<string, string>>;
      /** How far ahead of real time the sandbox's clock is. */
      readonly offsetMs: number;
    }
  /** The clock moved, or time to look at what is owed; answered with `ticked`. */
  | { readonly kind: "clock"; readonly id: number; readonly offsetMs: number }
  | { readonly kind: "stop" };

/** What the bot's process tells the sandbox. */
export type FromBot =
  | { readonly kind: "ready" }
  /** `error` when the tick itself failed. */
  | { readonly kind: "ticked"; readonly id: number; readonly error?: string };
