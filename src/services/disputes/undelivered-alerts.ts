import type { DisputeWatch } from "../../domain/dispute-stores.ts";
import { type Clock, DAY } from "../../shared/time.ts";

/** Long enough to be read by who looks now and then; the texts name it. */
const LOOKED_BACK_MS = 7 * DAY;

/** How many of an account's alerts of the last seven days reached nobody. */
export const undeliveredAlerts = (
  {
    clock,
    watched,
  }: { readonly clock: Clock; readonly watched: Pick<DisputeWatch, "undelivered"> },
  accountId: string,
): Promise<number> =>
  watched.undelivered(accountId, clock.now().subtract({ milliseconds: LOOKED_BACK_MS }));
