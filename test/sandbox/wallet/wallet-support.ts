import { onTestFinished } from "vitest";
import { createFaults } from "#src/sandbox/faults.ts";
import {
  startLocalWallet,
  type LocalWallet,
  type LocalWalletOptions,
} from "#src/sandbox/wallet/local-wallet.ts";

export const START = Temporal.Instant.from("2026-11-18T15:00:00Z");

export interface WalletUnderTest {
  readonly wallet: LocalWallet;
  readonly faults: ReturnType<typeof createFaults>;
  readonly moveTo: (instant: Temporal.Instant) => void;
  readonly ask: (path: string, options?: Asked) => Promise<Answered>;
}

export interface Asked {
  readonly key?: string;
  readonly method?: string;
  readonly body?: unknown;
}

export interface Answered {
  readonly status: number;
  readonly requestId: string | null;
  readonly date: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

/** A local wallet with a standing clock, stopped when the test ends. */
export const walletUnderTest = async (
  defaultKey: string,
  options: Omit<LocalWalletOptions, "clock" | "faults"> = {},
): Promise<WalletUnderTest> => {
  let now = START;
  const faults = createFaults();
  const wallet = await startLocalWallet({ ...options, clock: { now: () => now }, faults });
  onTestFinished(wallet.stop);
  return {
    wallet,
    faults,
    moveTo: (instant) => {
      now = instant;
    },
    ask: async (path, { key = defaultKey, method = "GET", body } = {}) => {
      const response = await fetch(`${wallet.baseUrl}${path}`, {
        method,
        headers: {
          ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      return {
        status: response.status,
        requestId: response.headers.get("x-request-id"),
        date: response.headers.get("date"),
        body: await response.json(),
      };
    },
  };
};
