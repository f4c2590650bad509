import { APPLICATION } from "../world.ts";
import type { Answer, Call, Discord, Handle } from "./call.ts";
import { param } from "./call.ts";
import { mayReadHistory, requirePosting, visibleChannel } from "./channel-access.ts";
import { emptyMessage, invalidForm, notYourMessage, unknownMessage } from "./errors.ts";
import { pageOf } from "./history.ts";
import { checkMessage, showsNothing } from "./limits/message.ts";
import { collectProblems } from "./limits/problems.ts";
import type { MessageBody } from "./message-body.ts";
import { MESSAGE_FLAG } from "./message-body.ts";
import { createMessage, currentMessage, deleteMessage, editMessage } from "./messages.ts";
import { renderMessage } from "./rendered.ts";
import type { StoredMessage } from "./shown.ts";
import type { DiscordState } from "./state.ts";

const checkedBody = (call: Call): MessageBody => {
  const problems = collectProblems();
  checkMessage(call.body ?? {}, call.files, "channel", [], problems);
  if (problems.count() > 0) throw invalidForm(problems.nested());
  const body = (call.body ?? {}) as MessageBody;
  if (showsNothing(body, call.files)) throw emptyMessage();
  return body;
};

/**
 * The message that was made before under an enforced nonce, wherever it is. Undefined: none, a new one may be made.
 * @throws ApiError 10008 when it was deleted since; Discord's engineers call that intended.
 */
const alreadyPosted = (body: MessageBody, discord: Discord): StoredMessage | undefined => {
  if (body.enforce_nonce !== true) return undefined;
  const ref = discord.nonces.find(String(body.nonce));
  return ref === undefined ? undefined : currentMessage(discord.state, ref);
};

const created = (discord: Discord, message: StoredMessage): Answer => ({
  status: 200,
  body: renderMessage(discord.state, message, true),
});

/** `POST /channels/{id}/messages`. */
export const postMessage: Handle = (call, discord) => {
  const channel = visibleChannel(call, discord);
  const body = checkedBody(call);
  requirePosting(channel, body, call.files, discord);
  const nonce = body.nonce === undefined || body.nonce === null ? undefined : String(body.nonce);
  if (nonce !== undefined) discord.nonces.attempted(nonce);
  const earlier = alreadyPosted(body, discord);
  if (earlier !== undefined) return created(discord, earlier);
  const message = createMessage(discord.state, { channelId: channel.id, body, files: call.files });
  if (nonce !== undefined) discord.nonces.remember(nonce, message);
  return created(discord, message);
};

/** Without the privileged intent, a bot reads nothing of what others write. */
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
  const problems = collectProblems();
  const page = pageOf([...channel.messages.values()], call.query, problems);
  if (problems.count() > 0) throw invalidForm(problems.nested());
  const readable = mayReadHistory(channel) ? page : [];
  return { status: 200, body: readable.map((message) => renderRead(discord.state, message)) };
};

const named = (call: Call, discord: Discord): StoredMessage => {
  const { id: channelId } = visibleChannel(call, discord);
  const id = param(call, "message");
  return currentMessage(discord.state, { id, channelId, privateTo: undefined });
};

export const getMessage: Handle = (call, discord) => {
  const message = named(call, discord);
  if (!mayReadHistory(visibleChannel(call, discord))) throw unknownMessage();
  return { status: 200, body: renderRead(discord.state, message) };
};

export const patchMessage: Handle = (call, discord) => {
  const message = named(call, discord);
  if (message.authorId !== APPLICATION.id) throw notYourMessage();
  const problems = collectProblems();
  const usesV2 = (message.flags & MESSAGE_FLAG.COMPONENTS_V2) !== 0;
  checkMessage(call.body ?? {}, call.files, "edit", [], problems, usesV2);
  if (problems.count() > 0) throw invalidForm(problems.nested());
  const edited = editMessage(discord.state, message, call.body ?? {}, call.files);
  if (edited === undefined) throw emptyMessage();
  return { status: 200, body: renderMessage(discord.state, edited) };
};

export const removeMessage: Handle = (call, discord) => {
  deleteMessage(discord.state, named(call, discord));
  return { status: 204 };
};
