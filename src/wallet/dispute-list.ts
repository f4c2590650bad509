import * as z from "zod";

import { isWireId } from "../domain/wire-id.ts";
import type { DisputePage, ListedDispute } from "../domain/dispute-list.ts";
import type { Reading, Send } from "./operation.ts";
import { type Paged, pagingOf, withFurtherPages } from "./list-pages.ts";
import { arraysOf, camelKeys, listedTime } from "./unshown-list.ts";
import { adornment, wireAmount } from "./wire.ts";

const ROUTE = "/v1/meds";

/** Where arrays may be, at the root or one level below it. */
const PLACES = ["meds", "infractions", "data", "items", "results"];

const text = adornment(z.string().min(1).max(256));

/** The names of the documented detail; each may be missing, and none but the first may spoil the item. */
const wireItem = z
  .object({
    infractionId: z.string().refine(isWireId),
    txid: text,
    amount: adornment(wireAmount),
    frozenAmount: adornment(wireAmount),
    status: text,
    analysisStatus: text,
    infractionDate: listedTime,
    createdAt: listedTime,
    dueDate: listedTime,
  })
  .transform(({ frozenAmount, infractionDate, createdAt, dueDate, ...same }): ListedDispute => ({
    ...same,
    frozen: frozenAmount,
    contestedAt: infractionDate ?? createdAt,
    dueAt: dueDate,
  }));

const itemOf = (row: unknown): ListedDispute | undefined => {
  const item = wireItem.safeParse(camelKeys(row));
  return item.success ? item.data : undefined;
};

interface ListPage extends DisputePage, Paged<ListedDispute> {}

const readPage = (answer: object): Reading<ListPage> => {
  const arrays = arraysOf(answer, PLACES);
  if (arrays.length === 0)
    return { valid: false, problems: ["no array where a list was expected"] };
  const rows = arrays.flat();
  const byId = new Map<string, ListedDispute>();
  let named = 0;
  for (const item of rows.map(itemOf)) {
    if (item === undefined) continue;
    named += 1;
    if (!byId.has(item.infractionId)) byId.set(item.infractionId, item);
  }
  // Read as an empty list it would say that there is nothing to answer.
  if (named === 0 && rows.length > 0) {
    return { valid: false, problems: ["infractionId in no item"] };
  }
  const items = [...byId.values()];
  const paging = pagingOf(answer, ROUTE, rows.length);
  return { valid: true, value: { items, unnamed: rows.length - named, paging } };
};

/**
 * The account's disputes in the order that the service gives them: its first page, with those further pages that it
 * names, up to five.
 *
 * AN ASSUMPTION: the document names this operation, says that ids are obtained from it (service.md 4.4) and shows no
 * shape (4.7). Items stand at the root or in arrays under usual names, and an item counts when it has an `infractionId`:
 * one dispute too many costs a reading, one that is missed costs its amount. What else an item says is taken by the names
 * of the documented detail. An item without `infractionDate` is taken to have been opened at its `createdAt`: the detail
 * has both, and in the documented examples they are minutes apart.
 * @throws WalletError
 */
export const getDisputes = async (send: Send): Promise<DisputePage> => {
  const page = (query: string): Promise<ListPage> =>
    send({
      method: "GET",
      route: ROUTE,
      path: query === "" ? ROUTE : `${ROUTE}?${query}`,
      read: readPage,
      unshown: true,
      refusal: "refused",
    });
  const first = await page("");
  let { unnamed } = first;
  const items = await withFurtherPages(
    first,
    ({ infractionId }) => infractionId,
    async (query) => {
      const further = await page(query);
      unnamed += further.unnamed;
      return further;
    },
  );
  return { items, unnamed };
};
