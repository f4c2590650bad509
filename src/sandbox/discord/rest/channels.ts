import { PermissionFlagsBits } from "discord-api-types/v10";
import { z } from "zod";
import { type Call, checkedBody, type Discord, type Handle, param } from "./call.ts";
import {
  checked,
  emptyMessage,
  invalidRecipient,
  missingAccess,
  missingPermissions,
  noMutualGuilds,
  notYourMessage,
  unknownChannel,
  unreachablePerson,
} from "../api-errors.ts";
import { snowflake } from "../limits/checks.ts";
import { allows } from "../permissions.ts";
import { renderChannel, renderMessage } from "../api-objects.ts";
import {
  type ChannelState,
  directChannelOf,
  type DiscordState,
  type StoredMessage,
} from "../state.ts";
import { type MessageBody, type UploadedFile } from "../message-body.ts";
import { APPLICATION } from "../../world.ts";
import { createMessage, currentMessage, editMessage } from "../messages.ts";
import { compareIds } from "../snowflake.ts";

export const getChannel: Handle = (call, discord) =>
  renderChannel(discord.state, visibleChannel(call, discord));

const Recipient = z.object({ recipient_id: snowflake });

/** `POST /users/@me/channels`: the direct channel with a person, created on first use. */
export const openDirectChannel: Handle = (call, { state }) => {
  const { recipient_id: personId } = checked(Recipient, call.body);
  const person = state.people.get(personId);
  if (person === undefined) throw invalidRecipient();
  return renderChannel(state, directChannelOf(state, person));
};

/** The channel of the path. @throws ApiError 10003 for an unknown channel, 50001 if the bot may not view it. */
const visibleChannel = (call: Call, { state }: Discord): ChannelState => {
  const channel = state.channels.get(param(call, "id"));
  if (channel === undefined) throw unknownChannel();
  if (channel.recipientId !== undefined) return channel;
  if (!allows(channel.botPermissions, PermissionFlagsBits.ViewChannel)) throw missingAccess();
  return channel;
};

/** @throws ApiError 50013, or 50278 or 50007 in direct messages, if the bot may not post. */
const requirePosting = (
  channel: ChannelState,
  body: MessageBody,
  files: readonly UploadedFile[],
  { state }: Discord,
): void => {
  if (channel.recipientId !== undefined) {
    const recipient = state.people.get(channel.recipientId);
    if (!recipient?.guildIds.size) throw noMutualGuilds();
    if (!recipient.acceptsDirectMessages) throw unreachablePerson();
    return;
  }
  let needed = PermissionFlagsBits.SendMessages;
  if (body.embeds?.length) needed |= PermissionFlagsBits.EmbedLinks;
  if (files.length > 0) needed |= PermissionFlagsBits.AttachFiles;
  if (!allows(channel.botPermissions, needed)) throw missingPermissions();
};

const mayReadHistory = (channel: ChannelState): boolean =>
  channel.recipientId !== undefined ||
  allows(channel.botPermissions, PermissionFlagsBits.ReadMessageHistory);

/**
 * The earlier message with the same enforced nonce, in any channel; undefined if the body may be posted.
 * @throws ApiError 10008 if that message was deleted; Discord's engineers call this intended.
 */
const alreadyPosted = (body: MessageBody, discord: Discord): StoredMessage | undefined => {
  if (body.enforce_nonce !== true) return undefined;
  const ref = discord.nonces.find(String(body.nonce));
  return ref === undefined ? undefined : currentMessage(discord.state, ref);
};

/** `POST /channels/{id}/messages`. */
export const postMessage: Handle = (call, discord) => {
  const channel = visibleChannel(call, discord);
  const body = checkedBody(call, "channel");
  requirePosting(channel, body, call.files, discord);
  const earlier = alreadyPosted(body, discord);
  if (earlier !== undefined) return renderMessage(discord.state, earlier, true);
  const message = createMessage(discord.state, { channelId: channel.id, body, files: call.files });
  if (message.nonce !== undefined) discord.nonces.remember(message.nonce, message);
  return renderMessage(discord.state, message, true);
};

/** Without the privileged intent, a bot sees other authors' messages as empty. */
const renderRead = (state: DiscordState, message: StoredMessage): object =>
  renderMessage(
    state,
    message.authorId === APPLICATION.id
      ? message
      : { ...message, content: "", embeds: [], attachments: [], components: [] },
  );

/** `GET /channels/{id}/messages`: newest first; empty without the permission to read history. */
export const listMessages: Handle = (call, discord) => {
  const channel = visibleChannel(call, discord);
  const page = pageOf([...channel.messages.values()], call.query);
  const readable = mayReadHistory(channel) ? page : [];
  return readable.map((message) => renderRead(discord.state, message));
};

export const patchMessage: Handle = (call, discord) => {
  const { id: channelId } = visibleChannel(call, discord);
  const ref = { id: param(call, "message"), channelId, privateTo: undefined };
  const message = currentMessage(discord.state, ref);
  if (message.authorId !== APPLICATION.id) throw notYourMessage();
  const body = checkedBody(call, "edit");
  const edited = editMessage(discord.state, message, body, call.files);
  if (edited === undefined) throw emptyMessage();
  return renderMessage(discord.state, edited);
};

const Page = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  before: snowflake.optional(),
  after: snowflake.optional(),
});

/** The page that the query selects: `before` or `after` an id, and `limit` (1 to 100, default 50). */
const pageOf = (
  messages: readonly StoredMessage[],
  query: URLSearchParams,
): readonly StoredMessage[] => {
  const { limit, before, after } = checked(Page, Object.fromEntries(query));
  const page = messages
    .toSorted((a, b) => compareIds(b.id, a.id))
    .filter(({ id }) => before === undefined || compareIds(id, before) < 0)
    .filter(({ id }) => after === undefined || compareIds(id, after) > 0);
  return after === undefined ? page.slice(0, limit) : page.slice(-limit);
};
