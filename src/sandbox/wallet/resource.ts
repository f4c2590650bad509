import type { Merchant } from "./merchant.ts";
import type { WalletSettings } from "./wallet-settings.ts";

/** One authenticated request, as a resource of the local wallet sees it. */
export interface ResourceRequest {
  readonly merchant: Merchant;
  readonly now: Temporal.Instant;
  /** The `:id` of the path; empty for a path without an id. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly settings: Readonly<WalletSettings>;
}

export interface Route {
  readonly method: "GET" | "POST";
  /** Path with at most one `:id` at its end. */
  readonly path: string;
  /** Counts against the limit of withdrawals; a cancellation does not: this sandbox's assumption. */
  readonly withdraws: boolean;
  readonly answer: (request: ResourceRequest) => Answer;
}

/** The answer of a resource, before it becomes HTTP. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export const ok = (body: Readonly<Record<string, unknown>>): Answer => ({
  status: 200,
  body: { success: true, ...body },
});

/**
 * The failure envelope. Statuses other than 401, 404 and 429 are this sandbox's assumption. Source: service.md 7.2.
 */
export const failure = (
  status: number,
  message: string,
  details?: Readonly<Record<string, string>>,
): Answer => ({
  status,
  body: { success: false, message, ...(details === undefined ? {} : { details }) },
});

/** The other envelope, of transactions and of wrong endpoints. Source: service.md 7.2. */
export const notFound = (message: string): Answer => ({
  status: 404,
  body: { error: "Not Found", message },
});

/** Source: service.md 7.1; the unit of `retryAfter` is not shown, here it is seconds. */
export const tooManyRequests = (retryAfterMs: number): Answer => ({
  status: 429,
  body: { retryAfter: Math.max(1, Math.ceil(retryAfterMs / 1000)) },
});

export const unauthorized = (): Answer =>
  failure(401, "Chave de API ausente, inválida ou revogada.");

/** Centavos as the service writes amounts: a JSON number in reais. */
export const reais = (amountCents: number): number => amountCents / 100;

export const amounts = (amountCents: number, feeCents: number) => ({
  amount: reais(amountCents),
  netAmount: reais(amountCents - feeCents),
  fee: reais(feeCents),
});

export const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + amount, 0);

/** UTC with milliseconds, as every timestamp of the service. */
export const isoTime = (instant: Temporal.Instant): string =>
  instant.toString({ smallestUnit: "millisecond" });
