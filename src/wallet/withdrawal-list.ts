import * as z from "zod";

import { isWireId } from "../domain/wire-id.ts";
import type { ListedWithdrawal, WithdrawalPage } from "../domain/withdrawal.ts";
import type { AnswerFacts, Reading, Send } from "./operation.ts";
import { arraysOf, camelKeys, listedTime } from "./unshown-list.ts";
import { adornment, readerOf, wireAmount } from "./wire.ts";

const ROUTE = "/v1/withdrawals";

/** Where the array may be, at the root or one level below it. */
const PLACES = ["withdrawals", "data", "items", "results"];

const identifier = z.string().refine(isWireId);

const wireItem = z
  .object({
    txid: z.unknown().optional(),
    id: z.unknown().optional(),
    requestedAt: listedTime,
    createdAt: listedTime,
    amount: adornment(wireAmount),
    status: adornment(z.string()),
  })
  .transform(({ txid, id, requestedAt, createdAt, amount, status }, context): ListedWithdrawal => {
    const given = identifier.safeParse(typeof txid === "string" ? txid : id);
    if (given.success) {
      return { txid: given.data, requestedAt: requestedAt ?? createdAt, amount, status };
    }
    context.addIssue("No identifier");
    return z.NEVER;
  });

const readItems = readerOf(z.array(z.unknown().transform(camelKeys).pipe(wireItem)));

const readPage = (answer: object, { skewMs }: AnswerFacts): Reading<WithdrawalPage> => {
  const arrays = arraysOf(answer, PLACES);
  const [only] = arrays;
  // With two of them one would be taken for the list, and the other may be it.
  if (only === undefined || arrays.length > 1) {
    return { valid: false, problems: [`${arrays.length} arrays where one list was expected`] };
  }
  const items = readItems(only);
  return items.valid ? { valid: true, value: { items: items.value, skewMs } } : items;
};

/**
 * One page of the account's withdrawals, as long and in the order that the service made it.
 *
 * AN ASSUMPTION: the document names this operation, says that ids are obtained from it (service.md 4.3) and shows no
 * shape (4.7). The array is the root or stands under a usual name; each item has to have an id. One that has none may
 * be the very withdrawal that is looked for, so that it makes the whole page unreadable: never evidence of anything.
 * @throws WalletError
 */
export const getWithdrawals = (send: Send): Promise<WithdrawalPage> =>
  send({
    method: "GET",
    route: ROUTE,
    path: ROUTE,
    read: readPage,
    unshown: true,
    fresh: true,
    refusal: "refused",
  });
