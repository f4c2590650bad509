import { lockedAccounts } from "../accounts/wallet-accounts.store.ts";
import type { NewDelivery } from "../delivery/delivery.ts";
import { enqueueDelivery } from "../delivery/outbox-enqueue.store.ts";
import { lockDirect } from "../reports/report-ledger.store.ts";
import type { Database } from "../schema.ts";
import { markPeriod, saveChoices } from "./close-progress.store.ts";
import type { CloseChoices, OwedClose } from "./close.ts";

export type CloseRecord = [
  owed: OwedClose,
  accountIds: readonly string[],
  delivery: NewDelivery | undefined,
  at: Temporal.Instant,
];

/** Marks the period for all connections of the owner that have direct reports of the wallet account. */
export const recordDirectClose = async (
  trx: Database,
  ...[{ route, period }, , delivery, at]: CloseRecord
): Promise<boolean> => {
  const ids = await lockDirect(trx, route.subscriberId);
  // The others stay unmarked, so that one of them tells the close.
  if (!ids.includes(route.progressId)) return false;
  let isMarked = false;
  for (const id of ids) {
    const isNew = await markPeriod(trx, id, period);
    if (id === route.progressId) isMarked = isNew;
  }
  if (!isMarked) return false;
  if (delivery !== undefined) await enqueueDelivery(trx, delivery, at);
  return true;
};

/** In all connections of the owner to the wallet account, so that any of them may go on. */
export const chooseDirectCloses = async (
  trx: Database,
  watchId: string,
  choices: Partial<CloseChoices>,
  at: Temporal.Instant,
): Promise<void> => {
  const ids = await lockedAccounts(trx, (eb) => eb("watch_id", "=", watchId), "for share");
  for (const accountId of ids) await saveChoices(trx, { accountId }, choices, at);
};

/** The choices and the marked periods of a connection that another key replaces. */
export const carryOverCloses = async (
  trx: Database,
  accountId: string,
): Promise<(newAccountId: string) => Promise<void>> => {
  const rows = await trx
    .selectFrom("close_progress")
    .selectAll()
    .where("progress_id", "=", accountId)
    .execute();
  return async (newAccountId) => {
    for (const row of rows)
      await trx
        .insertInto("close_progress")
        .values({ ...row, progress_id: newAccountId })
        .execute();
  };
};

/** A further connection with direct reports goes on with the choices and marks of another one of its wallet account. */
export const shareCloses = async (
  trx: Database,
  accountId: string,
  otherId: string,
): Promise<void> => {
  await deleteCloses(trx, { id: accountId });
  const insert = await carryOverCloses(trx, otherId);
  await insert(accountId);
};

export const deleteCloses = async (
  trx: Database,
  { id }: { readonly id: string },
): Promise<void> => {
  await trx.deleteFrom("close_progress").where("progress_id", "=", id).execute();
};
