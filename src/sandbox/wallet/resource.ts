import type { Answer } from "./answer.ts";
import type { Merchant } from "./merchant.ts";
import type { WalletSettings } from "./wallet-settings.ts";

/** One authenticated request, as a resource of the local wallet sees it. */
export interface ResourceRequest {
  readonly merchant: Merchant;
  readonly now: Temporal.Instant;
  /** What stands in the path's place of `:id`; empty on paths without one. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly settings: Readonly<WalletSettings>;
}

export type Resource = (request: ResourceRequest) => Answer;

export interface Route {
  readonly method: "GET" | "POST";
  /** Path with at most one `:id` at its end. */
  readonly path: string;
  /** Counts as a withdrawal request; a cancellation does not: the sandbox's reading. */
  readonly withdraws: boolean;
  readonly answer: Resource;
}
