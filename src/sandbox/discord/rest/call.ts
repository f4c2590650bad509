import type { ApplicationRegistry } from "../command-registry.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { Interactions } from "../interactions.ts";
import { emptyMessage, refuseProblems } from "../api-errors.ts";
import { checkMessage, type MessagePlace, showsNothing } from "../limits/message.ts";
import type { MessageBody, UploadedFile } from "../message-body.ts";
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

/** The message body of a request. @throws ApiError 50035, or 50006 for a new message without content. */
export const checkedBody = (call: Call, place: MessagePlace, usesV2 = false): MessageBody => {
  const body = call.body ?? {};
  refuseProblems((problems) => checkMessage(body, call.files, place, [], problems, usesV2));
  if (place !== "edit" && showsNothing(body, call.files)) throw emptyMessage();
  return body;
};

/** A parameter of the route's path. */
export const param = (call: Call, name: string): string => call.params[name] ?? "";
