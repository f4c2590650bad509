import type { ReplaceCommands } from "../command-registry.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { Interactions } from "../interactions.ts";
import { checked, emptyMessage } from "../api-errors.ts";
import { messageBodies, type MessagePlace, showsNothing } from "../limits/message.ts";
import type { MessageBody, UploadedFile } from "../message-body.ts";
import type { Nonces } from "../nonces.ts";
import type { DiscordState } from "../state.ts";

/** A parsed and routed REST request. */
export interface Call {
  /** Values of the path's placeholders. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly files: readonly UploadedFile[];
}

/** The parts of the local Discord that request handlers use. */
export interface Discord {
  readonly state: DiscordState;
  readonly interactions: Interactions;
  readonly gateway: Gateway;
  readonly nonces: Nonces;
  readonly replaceCommands: ReplaceCommands;
}

/** The body of the answer; undefined for 204. @throws ApiError for a request that Discord would refuse. */
export type Handle = (call: Call, discord: Discord) => object | undefined;

/** The message body of a request. @throws ApiError 50035, or 50006 for a new message without content. */
export const checkedBody = (call: Call, place: MessagePlace): MessageBody => {
  const body = call.body ?? {};
  checked<unknown>(messageBodies[place], { ...body, files: call.files });
  if (place !== "edit" && showsNothing(body, call.files)) throw emptyMessage();
  return body;
};

export const param = (call: Call, name: string): string => call.params[name] ?? "";
