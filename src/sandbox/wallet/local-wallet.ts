import { createServer } from "node:http";
import type { Clock } from "../../shared/time.ts";
import type { Faults } from "../faults.ts";
import { listenOnLoopback } from "../loopback-server.ts";
import type { Merchant } from "./merchant.ts";
import { emptyMerchant, seededMerchants, type NewMerchant } from "./seeded-merchants.ts";
import { createWalletListener, type WalletRequest } from "./wallet-server.ts";
import { createWalletControls } from "./wallet-controls.ts";
import { createWebhookCalls } from "./webhook-calls.ts";
import { DEFAULT_SETTINGS, type WalletSettings } from "./wallet-settings.ts";

const REQUESTS_KEPT = 5_000;

export interface LocalWalletOptions extends Partial<WalletSettings> {
  readonly clock: Clock;
  readonly faults: Faults;
  /** How far the service's clock is ahead of `clock`; 0 by default. */
  readonly skewMs?: number;
  /** False: Ana and Bruno have accounts, but no history of sales, withdrawals and MEDs. */
  readonly seeded?: boolean;
}

export type LocalWallet = Awaited<ReturnType<typeof startLocalWallet>>;

/** Starts the wallet service of service.md on 127.0.0.1, for the sandbox and for tests, with all data in memory. */
export const startLocalWallet = async (options: LocalWalletOptions) => {
  const { faults, skewMs = 0, seeded = true, clock: ours, ...chosen } = options;
  const clock = { now: () => ours.now().add({ milliseconds: skewMs }) };
  const settings: WalletSettings = { ...DEFAULT_SETTINGS, ...chosen };
  const merchants = new Map<string, Merchant>(
    seededMerchants(clock.now(), seeded).map((each) => [each.apiKey, each]),
  );
  const requests: WalletRequest[] = [];
  const listeners = new Set<() => void>();
  const webhooks = createWebhookCalls({ clock, merchants: () => [...merchants.values()] });
  const changed = (): void => {
    webhooks.look();
    for (const listener of listeners) listener();
  };

  const listen = createWalletListener({
    clock,
    faults,
    merchantOf: (apiKey) => merchants.get(apiKey),
    settings,
    record: (request) => {
      requests.push(request);
      if (requests.length > REQUESTS_KEPT) requests.splice(0, requests.length - REQUESTS_KEPT);
      if (request.method === "POST") changed();
    },
  });
  const server = createServer((request, response) => {
    listen(request, response).catch((error: unknown) => {
      // The sender cut off its request: an answer is impossible.
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  const { port, stop } = await listenOnLoopback(server);

  const setRevoked = (apiKey: string, revoked: boolean): void => {
    const merchant = merchants.get(apiKey);
    if (merchant !== undefined) merchant.revoked = revoked;
  };

  return {
    /** Base address without `/v1`. */
    baseUrl: `http://127.0.0.1:${port}`,
    ...createWalletControls({ clock, settings, merchants: () => [...merchants.values()], changed }),
    /** The key answers 401 from now on. */
    revoke: (apiKey: string): void => setRevoked(apiKey, true),
    restore: (apiKey: string): void => setRevoked(apiKey, false),
    /** Opens another account, without history. */
    open: (merchant: NewMerchant): void => {
      merchants.set(merchant.apiKey, emptyMerchant(merchant));
    },
    /** Adds a key to an account; its other keys still work. @throws RangeError when the owner has no account */
    issueKey: (ownerId: string, apiKey: string): void => {
      const merchant = [...merchants.values()].find(({ userId }) => userId === ownerId);
      if (merchant === undefined) throw new RangeError(`No account of ${ownerId}`);
      // The keys share sales, withdrawals and MEDs by reference; each key has its own `revoked`.
      merchants.set(apiKey, { ...merchant, apiKey, revoked: false });
    },
    /** May be changed at any time. */
    settings,
    /** The latest requests, oldest first. */
    requests: requests as readonly WalletRequest[],
    webhooks,
    /** Calls the listener when a sale, a withdrawal or a MED is made or changed; the returned function ends that. */
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop,
  };
};
