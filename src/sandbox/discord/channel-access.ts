import type { Call, Discord } from "./call.ts";
import { param } from "./call.ts";
import { missingAccess, missingPermissions, unknownChannel, unreachablePerson } from "./errors.ts";
import type { MessageBody, UploadedFile } from "./message-body.ts";
import { allows, PERMISSION } from "./permissions.ts";
import type { ChannelState } from "./state.ts";

/** The channel of the path, if the bot may look at it. @throws ApiError 10003, 50001. */
export const visibleChannel = (call: Call, { state }: Discord): ChannelState => {
  const channel = state.channels.get(param(call, "id"));
  if (channel === undefined) throw unknownChannel();
  if (channel.recipientId !== undefined) return channel;
  if (!state.botInGuild || !allows(channel.botPermissions, PERMISSION.VIEW_CHANNEL)) {
    throw missingAccess();
  }
  return channel;
};

/** @throws ApiError 50013 or, for a direct message, 50007. */
export const requirePosting = (
  channel: ChannelState,
  body: MessageBody,
  files: readonly UploadedFile[],
  { state }: Discord,
): void => {
  if (channel.recipientId !== undefined) {
    const recipient = state.people.get(channel.recipientId);
    if (recipient?.acceptsDirectMessages === false || !state.botInGuild) throw unreachablePerson();
    return;
  }
  let needed = PERMISSION.SEND_MESSAGES;
  if (body.embeds?.length) needed |= PERMISSION.EMBED_LINKS;
  if (files.length > 0) needed |= PERMISSION.ATTACH_FILES;
  if (!allows(channel.botPermissions, needed)) throw missingPermissions();
};

export const mayReadHistory = (channel: ChannelState): boolean =>
  channel.recipientId !== undefined ||
  allows(channel.botPermissions, PERMISSION.READ_MESSAGE_HISTORY);
