import { type APIEmbed, MessageFlags } from "discord-api-types/v10";
import {
  among,
  type BodyPath,
  both,
  type Check,
  filledText,
  flag,
  integer,
  isRecord,
  lengthOf,
  link,
  list,
  moment,
  type Problems,
  type Rule,
  shape,
  snowflake,
  text,
  uniqueList,
} from "./checks.ts";
import { attachmentName, type MessageBody, type UploadedFile } from "../message-body.ts";
import { checkComponents } from "./components.ts";

const exclusive: Rule = (value, path, problems) => {
  if (!Array.isArray(value["parse"])) return;
  for (const kind of ["users", "roles"]) {
    const named = value[kind];
    if (!value["parse"].includes(kind) || !Array.isArray(named) || named.length === 0) continue;
    problems.add(
      [...path, "parse"],
      "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
      `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
    );
  }
};

/** `allowed_mentions`: each kind is allowed either as a whole or by ids. */
const allowedMentions = shape(
  {
    parse: uniqueList(among(["users", "roles", "everyone"]), 0, 3),
    users: uniqueList(snowflake, 0, 100),
    roles: uniqueList(snowflake, 0, 100),
    replied_user: flag,
  },
  [],
  exclusive,
);

/** Use of a message body: a channel message, an answer to an interaction, or an edit. */
export type MessagePlace = "channel" | "answer" | "edit";

const CHANNEL_FLAGS =
  MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications | MessageFlags.IsVoiceMessage;

const FLAGS_OF: Readonly<Record<MessagePlace, number>> = {
  channel: CHANNEL_FLAGS,
  answer: CHANNEL_FLAGS | MessageFlags.Ephemeral,
  edit: CHANNEL_FLAGS | MessageFlags.Ephemeral,
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

/** An enforced nonce is required. */
const checkNonce = (value: MessageBody, path: BodyPath, problems: Problems): void => {
  nonces(value, path, problems);
  if (value.enforce_nonce !== true) return;
  if (value.nonce !== undefined && value.nonce !== null && value.nonce !== "") return;
  problems.add([...path, "nonce"], "BASE_TYPE_REQUIRED", "This field is required");
};

/** Checks the body of a message, without components v2. Source: Discord's reference of messages, embeds and components. */
export const checkMessage = (
  value: unknown,
  files: readonly UploadedFile[],
  place: MessagePlace,
  path: BodyPath,
  problems: Problems,
): void => {
  const before = problems.count();
  body(value, path, problems);
  if (!isRecord(value)) return;
  const message = value as MessageBody;
  const flags = typeof message.flags === "number" ? message.flags : 0;
  if ((flags & ~FLAGS_OF[place]) !== 0) {
    problems.add([...path, "flags"], "MESSAGE_FLAGS_INVALID", "These flags cannot be set here");
  }
  if (place === "channel") checkNonce(message, path, problems);
  if (message.embeds) checkEmbeds(message.embeds, [...path, "embeds"], problems);
  if (message.components) checkComponents(message.components, [...path, "components"], problems);
  if (problems.count() === before) {
    checkFiles(message, files, place !== "edit", path, problems);
  }
};

/** Whether a new message with this body would be empty. */
export const showsNothing = (value: MessageBody, files: readonly UploadedFile[]): boolean =>
  !value.content?.trim() &&
  !value.embeds?.length &&
  !value.components?.length &&
  files.length === 0;

const MOST_CHARACTERS = 6_000;

const anyLink = link(["http", "https"]);
const mediaLink = link(["http", "https", "attachment"]);
const media = shape({ url: mediaLink }, ["url"]);

const hasSomething = (embed: APIEmbed): boolean =>
  Boolean(
    embed.title ||
    embed.description ||
    embed.fields?.length ||
    embed.image ||
    embed.thumbnail ||
    embed.footer?.text ||
    embed.author?.name,
  );

const notEmpty: Check = (value, path, problems) => {
  if (typeof value !== "object" || value === null || hasSomething(value)) return;
  problems.add(path, "BASE_TYPE_REQUIRED", "This field is required");
};

const embed = both(
  shape({
    title: text(0, 256),
    description: text(0, 4_096),
    url: anyLink,
    color: integer(0, 0xffffff),
    timestamp: moment,
    footer: shape({ text: text(0, 2_048), icon_url: mediaLink }, ["text"]),
    image: media,
    thumbnail: media,
    author: shape({ name: text(0, 256), url: anyLink, icon_url: mediaLink }, ["name"]),
    fields: list(
      shape({ name: filledText(256), value: filledText(1_024), inline: flag }, ["name", "value"]),
      0,
      25,
    ),
  }),
  notEmpty,
);

const sizeOf = (value: APIEmbed): number => {
  const texts = [value.title, value.description, value.footer?.text, value.author?.name];
  for (const field of value.fields ?? []) texts.push(field.name, field.value);
  return texts.reduce((sum, part) => sum + lengthOf(part ?? ""), 0);
};

const together: Check = (value, path, problems) => {
  if (!Array.isArray(value)) return;
  let size = 0;
  for (const [index, entry] of (value as APIEmbed[]).entries()) {
    size += sizeOf(entry);
    if (size <= MOST_CHARACTERS) continue;
    problems.add(
      [...path, index],
      "MAX_EMBED_SIZE_EXCEEDED",
      `Embed size exceeds maximum size of ${MOST_CHARACTERS}`,
    );
    return;
  }
};

const shapes = list(embed, 0, 10);

/** Up to 10 embeds with 6,000 characters in total. The total is checked only if each embed is valid. */
const checkEmbeds = (value: unknown, path: BodyPath, problems: Problems): void => {
  const before = problems.count();
  shapes(value, path, problems);
  if (problems.count() === before) together(value, path, problems);
};

const MOST_FILES = 10;
/** Largest attachment of a server without boosts. */
export const MOST_ATTACHMENT_BYTES = 10 * 1_024 * 1_024;

const picturesOf = (embed: APIEmbed): readonly (readonly [BodyPath, string | undefined])[] => [
  [["image", "url"], embed.image?.url],
  [["thumbnail", "url"], embed.thumbnail?.url],
  [["footer", "icon_url"], embed.footer?.icon_url],
  [["author", "icon_url"], embed.author?.icon_url],
];

/** Checks that each `attachment://name` and each new attachment refers to an uploaded file. */
const checkFiles = (
  body: MessageBody,
  files: readonly UploadedFile[],
  creating: boolean,
  path: BodyPath,
  problems: Problems,
): void => {
  if (files.length > MOST_FILES) {
    const message = `Must be ${MOST_FILES} or fewer in length.`;
    problems.add([...path, "files"], "BASE_TYPE_MAX_LENGTH", message);
  }
  for (const file of files) {
    if (file.index === null) {
      problems.add([...path, file.field], "FILE_FIELD_INVALID", "Files are named files[n]");
    }
    if (file.data.length > MOST_ATTACHMENT_BYTES) {
      const message = `File size exceeds ${MOST_ATTACHMENT_BYTES} bytes`;
      problems.add([...path, file.field], "FILE_SIZE_EXCEEDED", message);
    }
  }
  const attachments = body.attachments ?? [];
  for (const [index, attachment] of attachments.entries()) {
    if (!creating || files.some((file) => file.index === Number(attachment.id))) continue;
    const message = `No file has the id ${attachment.id}`;
    problems.add([...path, "attachments", index, "id"], "ATTACHMENT_NOT_FOUND", message);
  }
  const names = new Set([
    ...files.map((file) => file.name),
    ...attachments.map((attachment) => attachment.filename),
  ]);
  for (const [index, embed] of (body.embeds ?? []).entries()) {
    for (const [place, url] of picturesOf(embed)) {
      const name = attachmentName(url);
      if (name === undefined || names.has(name)) continue;
      const at = [...path, "embeds", index, ...place];
      problems.add(at, "ATTACHMENT_NOT_FOUND", `No uploaded file is named ${name}`);
    }
  }
};
