import {
  type DisputeRate,
  disputeRate,
  type ListedDispute,
  rateDays,
} from "../../domain/dispute-list.ts";
import { connectionOfAsker } from "./dispute-account.ts";
import type { DisputeConnection, DisputeReadingNeeds, DisputeWallet } from "./dispute-needs.ts";
import { listedOf } from "./dispute-rows.ts";
import type { DisputeActor } from "./dispute-services.ts";
import { reading, requireAuthorized, valueOf } from "../wallet-reading.ts";

/** More would take an account's quota away from everything else. */
const MOST_READ = 30;

const lacks = ({ contestedAt, status }: ListedDispute): boolean =>
  contestedAt === undefined || status === undefined;

/** The account's disputes, if the list has all that the summary counts, with what it leaves unsaid read one by one. */
const wholeList = async (
  wallet: DisputeWallet,
  { key }: DisputeConnection,
): Promise<readonly ListedDispute[] | undefined> => {
  const [summary, list] = await Promise.all([
    reading(wallet.disputeSummary(key, "interactive")),
    reading(wallet.disputes(key, "interactive")),
  ]);
  requireAuthorized(summary, list);
  if (!summary.ok || !list.ok || list.value.unnamed > 0) return undefined;
  const { items } = list.value;
  if (items.length < summary.value.byStatus.total) return undefined;
  if (items.filter(lacks).length > MOST_READ) return items;
  return await Promise.all(
    items.map(async (item) => {
      if (!lacks(item)) return item;
      const read = valueOf(await reading(wallet.dispute(key, item.infractionId, "background")));
      return read === undefined ? item : listedOf(read);
    }),
  );
};

/** See `DisputeReading.rate`. */
export const readDisputeRate = async (
  needs: DisputeReadingNeeds,
  actor: DisputeActor,
): Promise<DisputeRate> => {
  const { wallet, clock } = needs;
  const connection = await connectionOfAsker(needs, actor);
  const days = rateDays(clock.now());
  const disputes = await wholeList(wallet, connection);
  // Thirty reports for nothing would hold up what else is asked of the account.
  if (disputes === undefined) return { known: false, why: "list" };
  const reports = await Promise.all(
    days.map((day) => reading(wallet.salesReport(connection.key, day, "background"))),
  );
  requireAuthorized(...reports);
  const sales = reports.map((report) => {
    if (!report.ok) return undefined;
    const { api, esales } = report.value.byOrigin;
    return api.count + esales.count;
  });
  return disputeRate({ days, sales, disputes });
};
