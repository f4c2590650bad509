import type { ApplicationRegistry } from "../command-registry.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { Interactions } from "../interactions.ts";
import type { UploadedFile } from "../message-body.ts";
import type { Nonces } from "../nonces.ts";
import type { DiscordState } from "../state.ts";

/** One REST request, read and routed. */
export interface Call {
  /** Values of the names in the route's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly files: readonly UploadedFile[];
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** What handlers of requests work on. */
export interface Discord {
  readonly state: DiscordState;
  readonly interactions: Interactions;
  readonly gateway: Gateway;
  readonly nonces: Nonces;
  readonly registry: ApplicationRegistry;
  /** Second answers get 10062 where 40060 belongs, as Discord at times does. */
  readonly confusesAcknowledged: boolean;
}

/** @throws ApiError what Discord would refuse. */
export type Handle = (call: Call, discord: Discord) => Answer;

/** A parameter of the route's path. */
export const param = (call: Call, name: string): string => call.params[name] ?? "";
