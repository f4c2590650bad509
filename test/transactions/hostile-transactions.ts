import {
  saleChosenView,
  transactionDetailView,
  transactionListView,
} from "#src/transactions/transactions.view.ts";
import { NOW } from "../support/samples.ts";
import { fields, type HostileView, prose } from "../ui/hostile-samples.ts";
import {
  hostilePayment,
  hostilePayout,
  hostileTransaction,
  transactionFacts,
} from "./transaction-samples.ts";

/** Views of transactions, whose texts are all from outside of the bot. */
export const transactionViews: Readonly<Record<string, HostileView>> = {
  transactionListView: fields((text, locale) => {
    const row = hostileTransaction(text);
    const bare = { ...row, description: undefined, type: "withdrawal" };
    const counts = { found: 11, pages: 2, page: 0, unnamed: 1, undated: 1, more: true };
    const read = {
      furtherPage: 0,
      problem: "malformed",
      supportCodes: [text],
      readAt: NOW,
    } as const;
    return transactionListView(
      { filter: "all", period: undefined, rows: [row, bare], ...counts, ...read },
      locale,
    );
  }),
  transactionDetailView: fields(
    (text, locale) => transactionDetailView(transactionFacts(hostilePayment(text), locale)),
    (text, locale) => transactionDetailView(transactionFacts(hostilePayout(text), locale)),
  ),
  saleChosenView: prose(saleChosenView),
};
