import type { Account } from "../domain/account.ts";
import type { ClaimedDelivery } from "../domain/delivery.ts";
import type { Dispute } from "../domain/dispute.ts";
import { readAlertKey } from "../domain/dispute-alert.ts";
import { disputeState } from "../domain/dispute-state.ts";
import type { DisputeWatch } from "../domain/dispute-stores.ts";
import { isStillTrue } from "../domain/dispute-watch.ts";
import type { Clock } from "../shared/clock.ts";
import type { Logger } from "../shared/log.ts";
import type { AccountsStore } from "../store/accounts.ts";
import type { WatchedWallet } from "./dispute-watch.ts";

export interface StillTrueNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly accounts: Pick<AccountsStore, "findById" | "apiKey">;
  readonly watch: Pick<DisputeWatch, "find">;
  readonly wallet: Pick<WatchedWallet, "dispute">;
}

/** Whether an alert that is about to be posted still holds. Never rejects; true when that cannot be found out. */
export type StillTrue = (claim: Pick<ClaimedDelivery, "dedupeKey" | "kind">) => Promise<boolean>;

export const createStillTrue = (needs: StillTrueNeeds): StillTrue => {
  const { clock, log, accounts, watch, wallet } = needs;

  /** At a person's pace: whoever waits in the background may wait longer than a claim lasts. */
  const read = async (account: Account, infractionId: string): Promise<Dispute | undefined> => {
    const apiKey = await accounts.apiKey(account.id);
    if (apiKey === undefined) return undefined;
    const key = { apiKey, fingerprint: account.keyFingerprint };
    try {
      return await wallet.dispute(key, infractionId, "interactive");
    } catch (error) {
      log.warn({ account: account.id, infractionId, err: error }, "an alert is posted unread");
      return undefined;
    }
  };

  return async ({ dedupeKey, kind }) => {
    const alert = kind === "dispute_alert" ? readAlertKey(dedupeKey) : undefined;
    if (alert === undefined) return true;
    const { accountId, infractionId, step } = alert;
    try {
      const account = await accounts.findById(accountId);
      const watched = account && (await watch.find(accountId, infractionId));
      if (account === undefined || watched === undefined) return false;
      // What cannot be read stands as it was read last: a missed deadline costs more than a stale alert.
      const dispute = (await read(account, infractionId)) ?? watched;
      const now = clock.now();
      const { dueAt } = dispute;
      return isStillTrue(step, { ...watched, dueAt }, disputeState(dispute, now), now);
    } catch (error) {
      log.error({ delivery: dedupeKey, err: error }, "an alert could not be judged");
      return true;
    }
  };
};
