import { createHash } from "node:crypto";
import {
  type APIAttachment,
  type APIEmbed,
  type APIMessageTopLevelComponent,
  MessageFlags,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import { DAY, SECOND } from "../../shared/time.ts";
import { APPLICATION } from "../world.ts";
import { unknownMessage } from "./api-errors.ts";
import { attachmentName, mentionsOf, type MessageBody, type UploadedFile } from "./message-body.ts";
import { allows } from "./permissions.ts";
import { type AnsweredInteraction, type DiscordState, isIn, type StoredMessage } from "./state.ts";
import { walkComponents } from "./limits/components.ts";

/** Private messages kept for each person; deferred messages are never dropped. */
const PRIVATE_KEPT = 1_000;

interface NewMessage {
  readonly channelId: string;
  /** The bot by default. */
  readonly authorId?: string;
  readonly body: MessageBody;
  readonly files: readonly UploadedFile[];
  readonly privateTo?: string | undefined;
  readonly thinking?: boolean;
  readonly answers?: AnsweredInteraction;
}

export type MessageRef = Pick<StoredMessage, "id" | "channelId" | "privateTo">;

type MessageMap = Map<string, StoredMessage>;

/** The map that holds a message; undefined once its channel was deleted. */
const messageMapOf = (state: DiscordState, at: Omit<MessageRef, "id">): MessageMap | undefined =>
  at.privateTo === undefined
    ? state.channels.get(at.channelId)?.messages
    : state.people.get(at.privateTo)?.privateMessages;

/** Limits memory in long runs. */
const dropOldest = (messages: MessageMap): void => {
  for (const message of messages.values()) {
    if (messages.size <= PRIVATE_KEPT) return;
    if (!message.thinking) messages.delete(message.id);
  }
};

/** Adds a message, or replaces the version with the same id. */
const addMessage = (state: DiscordState, message: StoredMessage): void => {
  const messages = messageMapOf(state, message);
  messages?.set(message.id, message);
  if (message.privateTo !== undefined && messages !== undefined) dropOldest(messages);
  state.changed();
};

const flagsOf = (given: number, privateTo: string | undefined, thinking: boolean): number =>
  (given & ~(MessageFlags.Ephemeral | MessageFlags.Loading)) |
  (privateTo === undefined ? 0 : MessageFlags.Ephemeral) |
  (thinking ? MessageFlags.Loading : 0);

const mentionsAll = (state: DiscordState, channelId: string): boolean =>
  allows(state.channels.get(channelId)?.botPermissions ?? 0n, PermissionFlagsBits.MentionEveryone);

/** Creates a message. The caller must have checked the body. */
export const createMessage = (state: DiscordState, given: NewMessage): StoredMessage => {
  const { channelId, body, files, privateTo, thinking = false } = given;
  const attachments = storeFiles(state, channelId, files, body.attachments);
  const message: StoredMessage = {
    id: state.newId(),
    channelId,
    authorId: given.authorId ?? APPLICATION.id,
    content: body.content ?? "",
    embeds: resolveEmbeds(body.embeds ?? [], attachments),
    components: numbered(body.components ?? []),
    attachments,
    flags: flagsOf(body.flags ?? 0, privateTo, thinking),
    nonce: body.nonce === undefined || body.nonce === null ? undefined : String(body.nonce),
    createdAt: state.clock.now(),
    editedAt: undefined,
    privateTo,
    thinking,
    answers: given.answers,
    ...mentionsOf(body, mentionsAll(state, channelId)),
  };
  addMessage(state, message);
  return message;
};

const shows = (message: StoredMessage): boolean =>
  message.content.trim() !== "" ||
  message.embeds.length > 0 ||
  message.components.length > 0 ||
  message.attachments.length > 0;

/**
 * Applies the bot's edit; fields that the body omits keep their value. Returns undefined, without any change, if the
 * result would be an empty message.
 */
export const editMessage = (
  state: DiscordState,
  message: StoredMessage,
  body: MessageBody,
  files: readonly UploadedFile[],
): StoredMessage | undefined => {
  const uploaded = storeFiles(state, message.channelId, files, body.attachments);
  const attachments = [...keptAttachments(body, message.attachments), ...uploaded];
  const content = body.content === undefined ? message.content : (body.content ?? "");
  const embeds = body.embeds === undefined ? message.embeds : (body.embeds ?? []);
  const flags = message.flags | ((body.flags ?? 0) & ~MessageFlags.Ephemeral);
  const edited: StoredMessage = {
    ...message,
    content,
    embeds: resolveEmbeds(embeds, attachments),
    components:
      body.components === undefined ? message.components : numbered(body.components ?? []),
    attachments,
    flags: flagsOf(flags, message.privateTo, false),
    thinking: false,
    editedAt: message.thinking ? undefined : state.clock.now(),
    ...mentionsOf({ ...body, content }, mentionsAll(state, message.channelId)),
  };
  if (!shows(edited)) return undefined;
  addMessage(state, edited);
  return edited;
};

export const deleteMessage = (state: DiscordState, message: StoredMessage): void => {
  messageMapOf(state, message)?.delete(message.id);
  state.changed();
};

/** The current version; undefined for a deleted message. */
export const findMessage = (state: DiscordState, at: MessageRef): StoredMessage | undefined =>
  messageMapOf(state, at)?.get(at.id);

/** The current version. @throws ApiError 10008 for a deleted message. */
export const currentMessage = (state: DiscordState, at: MessageRef): StoredMessage => {
  const message = findMessage(state, at);
  if (message === undefined) throw unknownMessage();
  return message;
};

/** The message with this id, if this person's screen shows it. */
export const messageSeenBy = (
  state: DiscordState,
  personId: string,
  messageId: string,
): StoredMessage | undefined => {
  const person = state.people.get(personId);
  const own = person?.privateMessages.get(messageId);
  for (const channel of state.channels.values()) {
    if (person === undefined || !isIn(channel, person)) continue;
    const message = own?.channelId === channel.id ? own : channel.messages.get(messageId);
    if (message !== undefined) return message;
  }
  return undefined;
};

/** Gives components without an id the ids that Discord would: 1, 2, 3 … in reading order. */
const numbered = (
  components: readonly APIMessageTopLevelComponent[],
): readonly APIMessageTopLevelComponent[] => {
  if (components.length === 0) return components;
  const copies = structuredClone(components);
  const taken = new Set<unknown>();
  walkComponents(copies, ({ id }) => taken.add(id));
  let last = 0;
  walkComponents(copies, (component) => {
    if (component["id"]) return;
    do last++;
    while (taken.has(last));
    (component as { id?: number }).id = last;
  });
  return copies;
};

/**
 * Path and signature of a file; without the signature it is not found. Its expiry a day later is not enforced, because
 * Discord's client signs what it shows anew. Source: Discord's reference, "Signed Attachment CDN URLs".
 */
const downloadPath = (state: DiscordState, channelId: string, id: string, name: string): string => {
  const path = `/attachments/${channelId}/${id}/${encodeURIComponent(name)}`;
  const issued = Math.floor(state.clock.now().epochMilliseconds / SECOND);
  const times = `ex=${(issued + DAY / SECOND).toString(16)}&is=${issued.toString(16)}`;
  const signature = createHash("sha256").update(`${path}?${times}`).digest("hex");
  return `${path}?${times}&hm=${signature}`;
};

/** Stores uploaded files for download and returns Discord's attachment objects. */
const storeFiles = (
  state: DiscordState,
  channelId: string,
  files: readonly UploadedFile[],
  named: MessageBody["attachments"] = [],
): readonly APIAttachment[] =>
  files.map((file) => {
    const description = named?.find((entry) => Number(entry.id) === file.index)?.description;
    const id = state.newId();
    const path = downloadPath(state, channelId, id, file.name);
    state.files.set(path, { type: file.type, data: file.data });
    const url = `${state.origin}${path}`;
    return {
      id,
      filename: file.name,
      size: file.data.length,
      content_type: file.type,
      url,
      proxy_url: url,
      ...(description !== undefined && { description }),
    };
  });

export const attachmentData = (state: DiscordState, id: string): Buffer | undefined => {
  for (const [path, { data }] of state.files) if (path.split("/")[3] === id) return data;
  return undefined;
};

/** The attachments that remain after an edit: all, unless the body lists the attachments to keep. */
const keptAttachments = (
  body: MessageBody,
  existing: readonly APIAttachment[],
): readonly APIAttachment[] => {
  const named = body.attachments;
  if (!named) return existing;
  return existing.filter(({ id }) => named.some((entry) => String(entry.id) === id));
};

/** Embeds as Discord stores them: an `attachment://` picture gets the address of its file. */
const resolveEmbeds = (
  embeds: readonly APIEmbed[],
  attachments: readonly APIAttachment[],
): readonly APIEmbed[] =>
  embeds.map((embed) => {
    const resolved = { ...embed };
    if (embed.fields !== undefined) {
      resolved.fields = embed.fields.map((field) => ({ inline: false, ...field }));
    }
    for (const kind of ["image", "thumbnail"] as const) {
      const name = attachmentName(embed[kind]?.url);
      const url = attachments.find(({ filename }) => filename === name)?.url;
      if (url !== undefined) resolved[kind] = { ...embed[kind], url };
    }
    return resolved;
  });
