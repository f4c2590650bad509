import type { WalletKey } from "#src/accounts/wallet-key.ts";
import { readFileSync } from "node:fs";
import { pino } from "pino";
import { onTestFinished } from "vitest";

import type { Clock } from "#src/shared/time.ts";
import { WalletError } from "#src/shared/errors.ts";
import { noMetrics, type Metrics } from "#src/shared/metrics.ts";
import { Secret } from "#src/shared/secret.ts";
import { DEFAULT_LIMITS, type WalletLimits } from "#src/wallet/limits.ts";
import type { Timers } from "#src/wallet/timers.ts";
import { createWalletClient, type WalletClient } from "#src/wallet/client.ts";
import { type Answer, type AnsweringServer, startAnsweringServer } from "./answering-server.ts";
import { createVirtualTimers } from "./virtual-timers.ts";

export const API_KEY = "sk_sandbox_ana_4f9b27c1d05e";

/** A key with a rate limit of its own, unless the same fingerprint is given again. */
let accounts = 0;
export const walletKey = (fingerprint = `account-${(accounts += 1)}`): WalletKey => ({
  apiKey: new Secret(API_KEY),
  fingerprint,
});

export const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/wallet/${name}.json`, import.meta.url), "utf8");

const steadyRandom = { bytes: (size: number) => new Uint8Array(size), fraction: () => 0 };

export const steadyClock = { now: () => Temporal.Instant.from("2025-03-14T13:05:10Z") };

/** Calls are refused where they would wait for a turn, and share no answer. */
export const NO_WAIT = {
  longestWaitMs: { money: 0, interactive: 0, background: 0 },
  sharedReadMs: 0,
};

interface TestClient {
  readonly client: WalletClient;
  readonly logged: () => string;
}

/** The real client against a server on loopback, closed when the test ends. */
export const connectClient = (
  baseUrl: string,
  limits: Partial<WalletLimits> = {},
  metrics: Metrics = noMetrics,
  timers?: Timers,
  clock: Clock = steadyClock,
): TestClient => {
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line) => void lines.push(line) });
  const parts = { clock, random: steadyRandom, log, metrics };
  const client = createWalletClient({ baseUrl, ...parts, limits, timers });
  onTestFinished(() => client.close());
  return { client, logged: () => lines.join("") };
};

/** A client, and the server that gives it `answers` in turn. */
export const connectTo = async (...answers: readonly Answer[]) => {
  const server = await startAnsweringServer(...answers);
  return { server, ...connectClient(server.baseUrl) };
};

/**
 * A client whose deadlines expire only on `pastDeadline`, which first waits until the server has the request: so the
 * request always arrives, even on a slow machine.
 */
export const connectPatientClient = (server: AnsweringServer) => {
  const timers = createVirtualTimers();
  const { client } = connectClient(server.baseUrl, {}, noMetrics, timers);
  const pastDeadline = async (): Promise<void> => {
    await server.arrived();
    timers.advance(DEFAULT_LIMITS.moneyDeadlineMs);
  };
  return { client, pastDeadline };
};

/** The WalletError of a failed call; throws when the call succeeded or failed with any other error. */
export const walletErrorOf = async (call: Promise<unknown>): Promise<WalletError> => {
  const outcome = await call.then(
    () => "a value",
    (error: unknown) => error,
  );
  if (outcome instanceof WalletError) return outcome;
  throw new Error("Expected a WalletError", { cause: outcome });
};

export const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

export const DAY = Temporal.PlainDate.from("2025-03-14");
