import type { DeliveryState } from "./delivery.ts";

/** What the admin who asked for a test is told. */
export type TestPostResult =
  | "posted"
  | "lost_channel"
  /** Not taken yet, and still tried. */
  | "waiting"
  /** It may or may not be there. */
  | "unclear";

/** What the state of a test's delivery means, after it was attempted. */
export const testPostResult = (state: DeliveryState | undefined): TestPostResult => {
  if (state === "sent") return "posted";
  if (state === "blocked" || state === "obsolete") return "lost_channel";
  return state === "due" ? "waiting" : "unclear";
};
