import { byUrgency } from "../../domain/dispute-list.ts";
import { connectionOfAsker, connectionOfRef } from "./dispute-account.ts";
import { disputeDetail } from "./dispute-detail.ts";
import type { DisputeReadingNeeds } from "./dispute-needs.ts";
import { disputeOverview } from "./dispute-overview.ts";
import { readDisputeRate } from "./dispute-rate.ts";
import { listedOf, rowOf } from "./dispute-rows.ts";
import type { DisputeReading } from "./dispute-services.ts";
import { undeliveredAlerts } from "./undelivered-alerts.ts";

/** Discord's longest list of suggestions. */
const MOST_SUGGESTED = 25;

/** See `DisputeReading`. */
export const createDisputeReading = (needs: DisputeReadingNeeds): DisputeReading => ({
  overview: (actor, filter, page) => disputeOverview(needs, actor, filter, page),
  detail: async (actor, infractionId) =>
    await disputeDetail(needs, await connectionOfAsker(needs, actor), infractionId),
  open: async (actor, ref) =>
    await disputeDetail(needs, await connectionOfRef(needs, actor, ref), ref.infractionId),
  suggest: async ({ guildId, userId }, typed) => {
    const account = await needs.find(guildId, userId);
    if (account === undefined) return [];
    const now = needs.clock.now();
    const wanted = typed.trim().toLowerCase();
    const kept = await needs.watched.of(account.watchId);
    const rows = kept
      .filter(({ infractionId, txid }) => `${infractionId} ${txid}`.toLowerCase().includes(wanted))
      .map((each) => rowOf(listedOf(each), now));
    return byUrgency(rows).slice(0, MOST_SUGGESTED);
  },
  undelivered: (accountId) => undeliveredAlerts(needs, accountId),
  unlisted: async (watchId) => (await needs.watched.unlisted(watchId)).count,
  rate: (actor) => readDisputeRate(needs, actor),
});
