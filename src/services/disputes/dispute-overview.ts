import {
  byUrgency,
  countUnlisted,
  type DisputeFilter,
  type DisputeOverview,
  isDecidedUnanswered,
  isShownDispute,
} from "../../domain/dispute-list.ts";
import { awaitsAnswer } from "../../domain/dispute.ts";
import { connectionOfAsker } from "./dispute-account.ts";
import type { DisputeReadingNeeds } from "./dispute-needs.ts";
import { readRows } from "./dispute-rows.ts";
import type { DisputeActor } from "./dispute-services.ts";
import { undeliveredAlerts } from "./undelivered-alerts.ts";
import {
  type Reading,
  reading,
  requireAuthorized,
  supportCodesOf,
  valueOf,
} from "../wallet-reading.ts";

const PAGE = 10;

const kindsOf = (readings: readonly Reading<unknown>[]): DisputeOverview["problems"] => [
  ...new Set(readings.flatMap((read) => (read.ok ? [] : [read.error.kind]))),
];

/** See `DisputeReading.overview`. */
export const disputeOverview = async (
  needs: DisputeReadingNeeds,
  actor: DisputeActor,
  filter: DisputeFilter,
  wantedPage: number,
): Promise<DisputeOverview> => {
  const { wallet, clock } = needs;
  const connection = await connectionOfAsker(needs, actor);
  const { account, key } = connection;
  const watched = await needs.watched.of(account.watchId);
  const [summary, list] = await Promise.all([
    reading(wallet.disputeSummary(key, "interactive")),
    reading(wallet.disputes(key, "interactive")),
  ]);
  requireAuthorized(summary, list);
  if (!summary.ok && !list.ok && watched.length === 0) throw summary.error;
  const now = clock.now();
  const items = valueOf(list)?.items ?? [];
  const { rows, failures } = await readRows(wallet, connection, items, watched, now);
  const found = byUrgency(rows.filter(({ state }) => isShownDispute(state, filter)));
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  const page = Math.min(Math.max(0, wantedPage), pages - 1);
  const total = valueOf(summary)?.byStatus.total;
  return {
    accountId: account.watchId,
    summary: valueOf(summary),
    rows: found.slice(page * PAGE, (page + 1) * PAGE),
    filter,
    page,
    pages,
    found: found.length,
    alerts: (await needs.ofWatch(account.watchId))?.told.alerts ?? account.alerts,
    undelivered: await undeliveredAlerts(needs, account.id),
    decidedUnanswered: rows.filter(isDecidedUnanswered).length,
    awaiting: rows.filter(({ state }) => state !== undefined && awaitsAnswer(state)).length,
    listProblem: list.ok ? undefined : list.error.kind,
    unlisted: total === undefined ? undefined : Math.max(0, total - rows.length),
    unlistedPending: summary.ok ? countUnlisted(summary.value, rows, []) : undefined,
    problems: kindsOf([summary, list, ...failures]),
    supportCodes: supportCodesOf([summary, list, ...failures]),
    readAt: now,
  };
};
