import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../shared/clock.ts";
import type { Faults } from "../faults.ts";
import type { Merchant } from "./merchant.ts";
import type { SaleOrigin } from "./sale-ledger.ts";
import { emptyMerchant, seededMerchants, type NewMerchant } from "./seeded-merchants.ts";
import { createWalletListener, type WalletRequest } from "./serve-wallet.ts";

const REQUESTS_KEPT = 5_000;

export interface LocalWalletOptions {
  readonly clock: Clock;
  readonly faults: Faults;
  /** Any free one when left out. */
  readonly port?: number;
  /** Delay of every answer, in milliseconds of real time; 0 when left out. */
  readonly latencyMs?: number;
  /** False: Ana and Bruno have accounts, but no history of sales, withdrawals and MEDs. */
  readonly seeded?: boolean;
}

export interface NewSale {
  /** User id of the account that sells. */
  readonly owner: string;
  readonly origin: SaleOrigin;
  readonly reais: number;
  /** Now when left out. */
  readonly at?: Temporal.Instant;
  readonly product?: string;
}

export interface LocalWallet {
  /** Base address without `/v1`. */
  readonly baseUrl: string;
  /** Records an approved sale; gives its txid. @throws RangeError when the owner has no account. */
  readonly sale: (sale: NewSale) => string;
  /** The key answers 401 from now on. */
  readonly revoke: (apiKey: string) => void;
  /** A revoked key works again. */
  readonly restore: (apiKey: string) => void;
  /** One more account, without history. */
  readonly open: (merchant: NewMerchant) => void;
  readonly setLatency: (latencyMs: number) => void;
  /** The latest requests, oldest first. */
  readonly requests: readonly WalletRequest[];
  /** Told when a sale is added; gives back what ends the telling. */
  readonly onChange: (listener: () => void) => () => void;
  readonly stop: () => Promise<void>;
}

/** The wallet service of service.md on 127.0.0.1, for the sandbox and for tests. It holds everything in memory. */
export const startLocalWallet = async (options: LocalWalletOptions): Promise<LocalWallet> => {
  const { clock, faults } = options;
  const merchants = new Map<string, Merchant>(
    seededMerchants(clock.now(), options.seeded ?? true).map((each) => [each.apiKey, each]),
  );
  const requests: WalletRequest[] = [];
  const listeners = new Set<() => void>();
  let latencyMs = options.latencyMs ?? 0;
  let sold = 0;

  const listen = createWalletListener({
    clock,
    faults,
    merchantOf: (apiKey) => merchants.get(apiKey),
    latencyMs: () => latencyMs,
    record: (request) => {
      requests.push(request);
      if (requests.length > REQUESTS_KEPT) requests.splice(0, requests.length - REQUESTS_KEPT);
    },
  });
  const server = createServer((request, response) => {
    listen(request, response).catch((error: unknown) => {
      // A request cut off half-way is its sender's affair; nothing is left to answer.
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });

  const setRevoked = (apiKey: string, revoked: boolean): void => {
    const merchant = merchants.get(apiKey);
    if (merchant !== undefined) merchant.revoked = revoked;
  };

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sale: ({ owner, origin, reais, at, product }) => {
      const merchant = [...merchants.values()].find((each) => each.userId === owner);
      if (merchant === undefined)
        throw new RangeError(`No account of ${owner} in the local wallet`);
      const txid = `venda${String(++sold).padStart(19, "0")}`;
      merchant.sales.add({
        txid,
        origin,
        amountCents: Math.round(reais * 100),
        product: product ?? "Venda avulsa",
        at: at ?? clock.now(),
        status: "approved",
      });
      for (const listener of listeners) listener();
      return txid;
    },
    revoke: (apiKey) => setRevoked(apiKey, true),
    restore: (apiKey) => setRevoked(apiKey, false),
    open: (merchant) => {
      merchants.set(merchant.apiKey, emptyMerchant(merchant));
    },
    setLatency: (ms) => {
      latencyMs = ms;
    },
    requests,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
};
