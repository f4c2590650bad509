import { MESSAGE_FLAG } from "../message-body.ts";
import type { MessageBody, UploadedFile } from "../message-body.ts";
import type { Check } from "./checks.ts";
import { flag, integer, isRecord, list, shape, text } from "./checks.ts";
import { checkComponents } from "./components.ts";
import { checkEmbeds } from "./embeds.ts";
import { checkFiles } from "./files.ts";
import { allowedMentions } from "./mentions.ts";
import type { BodyPath, Problems } from "./problems.ts";

/** Where a message body came in: what a channel takes, an answer to an interaction, or an edit. */
export type MessagePlace = "channel" | "answer" | "edit";

const CHANNEL_FLAGS =
  MESSAGE_FLAG.SUPPRESS_EMBEDS |
  MESSAGE_FLAG.SUPPRESS_NOTIFICATIONS |
  MESSAGE_FLAG.VOICE |
  MESSAGE_FLAG.COMPONENTS_V2;

const FLAGS_OF: Readonly<Record<MessagePlace, number>> = {
  channel: CHANNEL_FLAGS,
  answer: CHANNEL_FLAGS | MESSAGE_FLAG.EPHEMERAL,
  edit: CHANNEL_FLAGS | MESSAGE_FLAG.EPHEMERAL,
};

const nonce: Check = (value, path, problems) => {
  if (typeof value === "string") text(0, 25)(value, path, problems);
  else integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)(value, path, problems);
};

const attachmentId: Check = (value, path, problems) => {
  if (!/^\d{1,20}$/.test(String(value))) {
    problems.add(path, "NUMBER_TYPE_COERCE", `Value "${String(value)}" is not snowflake.`);
  }
};

const body = shape({
  content: text(0, 2_000),
  flags: integer(0, 2 ** 31 - 1),
  tts: flag,
  allowed_mentions: allowedMentions,
  attachments: list(
    shape({ id: attachmentId, filename: text(1, 1_024), description: text(0, 1_024) }, ["id"]),
    0,
    10,
  ),
});

const nonces = shape({ nonce, enforce_nonce: flag });

/** A nonce that is enforced must be there. */
const checkNonce = (value: MessageBody, path: BodyPath, problems: Problems): void => {
  nonces(value, path, problems);
  if (value.enforce_nonce !== true) return;
  if (value.nonce !== undefined && value.nonce !== null && value.nonce !== "") return;
  problems.add([...path, "nonce"], "BASE_TYPE_REQUIRED", "This field is required");
};

const checkV2 = (value: MessageBody, path: BodyPath, problems: Problems): void => {
  for (const name of ["content", "embeds"] as const) {
    if (!value[name]?.length) continue;
    const message = `The '${name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`;
    problems.add([...path, name], "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message);
  }
};

/**
 * All that Discord refuses in the body of a message. `usesV2`: whether the message that is edited uses components v2.
 * Source: Discord's reference of messages, embeds and components.
 */
export const checkMessage = (
  value: unknown,
  files: readonly UploadedFile[],
  place: MessagePlace,
  path: BodyPath,
  problems: Problems,
  usesV2 = false,
): void => {
  const before = problems.count();
  body(value, path, problems);
  if (!isRecord(value)) return;
  const message = value as MessageBody;
  const flags = typeof message.flags === "number" ? message.flags : 0;
  if ((flags & ~FLAGS_OF[place]) !== 0) {
    problems.add([...path, "flags"], "MESSAGE_FLAGS_INVALID", "These flags cannot be set here");
  }
  const v2 = usesV2 || (flags & MESSAGE_FLAG.COMPONENTS_V2) !== 0;
  if (v2) checkV2(message, path, problems);
  if (place === "channel") checkNonce(message, path, problems);
  if (message.embeds) checkEmbeds(message.embeds, [...path, "embeds"], problems);
  if (message.components)
    checkComponents(message.components, v2, [...path, "components"], problems);
  if (problems.count() === before) {
    checkFiles(message, files, place !== "edit", path, problems);
  }
};

/** Whether a new message with this body would show nothing at all. */
export const showsNothing = (value: MessageBody, files: readonly UploadedFile[]): boolean =>
  !value.content?.trim() &&
  !value.embeds?.length &&
  !value.components?.length &&
  files.length === 0;
