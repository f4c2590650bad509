import { request } from "node:http";
import type { Clock } from "../../shared/time.ts";
import type { Merchant } from "./merchant.ts";
import { withdrawalStatus } from "./withdrawals.ts";

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\//;

/** All that clients hear of an account, as text to compare. */
const eventsOf = (merchant: Merchant, now: Temporal.Instant): string =>
  JSON.stringify([
    merchant.sales.added(now).map(({ txid, status }) => [txid, status]),
    merchant.meds.map(({ infractionId, status, analysisStatus }) => [
      infractionId,
      status,
      analysisStatus,
    ]),
    merchant.withdrawals.map((each) => [each.txid, withdrawalStatus(each, now)]),
  ]);

/** The service's calls to the addresses that its clients registered: an assumption, as the document shows none. */
export const createWebhookCalls = (parts: {
  readonly clock: Clock;
  readonly merchants: () => readonly Merchant[];
}) => {
  const { clock, merchants } = parts;
  const addresses = new Map<string, { readonly address: string; told: string }>();
  let answered = 0;

  const eventsNow = (ownerId: string): string => {
    const merchant = merchants().find(({ userId }) => userId === ownerId);
    return merchant === undefined ? "" : eventsOf(merchant, clock.now());
  };

  const call = (address: string): void => {
    const body = JSON.stringify({ event: "account.changed" });
    const headers = { "content-type": "application/json", "content-length": body.length };
    request(address, { method: "POST", headers }, (response) => {
      if ((response.statusCode ?? 0) < 300) answered++;
      response.resume();
    })
      // A client that is away misses the call: the service calls once.
      .on("error", () => {})
      .end(body);
  };

  return {
    /**
     * Calls the address from now on at each event of the account: a sale, a MED, a withdrawal or a change of one.
     * Undefined: no longer. @throws RangeError for an address beyond loopback, which no sandbox calls
     */
    register: (ownerId: string, address: string | undefined): void => {
      if (address !== undefined && !(LOOPBACK.test(address) && URL.canParse(address)))
        throw new RangeError("Only an address on this machine");
      if (address === undefined) addresses.delete(ownerId);
      else addresses.set(ownerId, { address, told: eventsNow(ownerId) });
    },
    registered: (ownerId: string): string | undefined => addresses.get(ownerId)?.address,
    /** Number of calls that were answered with a 2xx status. */
    answered: (): number => answered,
    /** Calls for what has happened since the last look, for example because time has passed. */
    look: (): void => {
      for (const [ownerId, entry] of addresses) {
        const events = eventsNow(ownerId);
        if (events === entry.told) continue;
        entry.told = events;
        call(entry.address);
      }
    },
  };
};
