import type { FormData } from "undici";
import type { DeliveryPayload } from "../delivery/delivery.ts";
import { person, role } from "../ui/format.ts";
import type { Modal, ModalField, ModalMenu, Reply, ReplyFile } from "../ui/reply.ts";
import { emptyForm } from "../shared/http-request.ts";
import { UPLOADS_LIMITED } from "./discord-http.ts";
import type { AnswerOutcome } from "./responder.ts";

const EPHEMERAL = 64;
const LABEL = 18;
const STRING_SELECT = 3;
const TEXT_INPUT = 4;
const ONE_LINE = 1;
/**
 * Our messages notify only the person and the role that a post names in its pings. Edits need this too, because Discord
 * parses their mentions again.
 */
const NO_MENTIONS = { parse: [] } as const;

/** Every message body except posts with pings is made here. */
const messageBody = <Message extends object>(message: Message) => ({
  ...message,
  allowed_mentions: NO_MENTIONS,
});

/** Announces the files of the body by the numbers of their form parts. */
const attachmentsOf = (files: readonly ReplyFile[]) =>
  files.map((file, id) => ({
    id,
    filename: sentName(file),
    ...(file.description !== undefined && { description: file.description }),
  }));

export const privateBody = ({ content, embeds, components, files }: Reply) =>
  messageBody({
    content,
    embeds,
    components,
    flags: EPHEMERAL,
    attachments: files && attachmentsOf(files),
  });

/**
 * Replaces a whole message: parts that the reply lacks are cleared, files included. An old file would not fit the new
 * text, and a repeated edit would show its files twice.
 */
export const replacingBody = ({ content = "", embeds = [], components = [], files = [] }: Reply) =>
  messageBody({ content, embeds, components, attachments: attachmentsOf(files) });

/** The reply without pictures and copies of its text; undefined where it has other files, of which its text speaks. */
const withoutCopies = ({ files = [], embeds = [], ...rest }: Reply): Reply | undefined => {
  const shown = new Set(embeds.map(({ image }) => image?.url));
  const isSpare = (file: ReplyFile): boolean =>
    file.isCopy === true || shown.has(`attachment://${sentName(file)}`);
  return files.length > 0 && files.every(isSpare)
    ? { ...rest, embeds: embeds.map(({ image: _image, ...embed }) => embed) }
    : undefined;
};

/**
 * Sends a reply, and again as text alone where the server's uploads are limited: its text says all, and may be of a
 * charge that was just made.
 */
export const sendOrAsText = async <Sent extends Reply | Modal>(
  given: Sent,
  send: (given: Sent | Reply) => Promise<AnswerOutcome>,
): Promise<AnswerOutcome> => {
  const outcome = await send(given);
  const isLimited = outcome.kind === "refused" && outcome.code === UPLOADS_LIMITED;
  const asText = isLimited && given.kind === "reply" ? withoutCopies(given) : undefined;
  return asText === undefined ? outcome : await send(asText);
};

/** A body that announces its files. */
export const withFiles = <Body extends object>(body: Body, files: readonly ReplyFile[]) =>
  files.length === 0 ? body : { ...body, attachments: attachmentsOf(files) };

/** A post in a channel. With `enforce_nonce`, Discord answers a repeated request with the existing message. */
export interface PostBody extends DeliveryPayload {
  readonly nonce?: string;
  readonly enforce_nonce?: boolean;
}

/** Shows the file of a drawn chart in the first embed. */
const withChart = (
  embeds: NonNullable<PostBody["embeds"]> = [],
  [file]: readonly ReplyFile[],
): NonNullable<PostBody["embeds"]> =>
  embeds.map((embed, place) =>
    place === 0 && file !== undefined
      ? { ...embed, image: { url: `attachment://${sentName(file)}` } }
      : embed,
  );

export const postBody = (
  { content, embeds, components, nonce, enforce_nonce, pings, chart }: PostBody,
  files: readonly ReplyFile[] = [],
) => {
  const shown = chart === undefined ? embeds : withChart(embeds, files);
  const body = { content, embeds: shown, components, nonce, enforce_nonce };
  if (pings === undefined) return messageBody(body);
  const { userId, roleId } = pings;
  const named = [person(userId), ...(roleId === undefined ? [] : [role(roleId)])];
  return {
    ...body,
    content: [...named, content].join(" "),
    allowed_mentions: {
      ...NO_MENTIONS,
      users: [userId],
      ...(roleId !== undefined && { roles: [roleId] }),
    },
  };
};

/** A private answer that says "thinking" until it is edited. */
export const THINKING = { flags: EPHEMERAL } as const;

const inputOf = (field: ModalField) => ({
  type: TEXT_INPUT,
  custom_id: field.id,
  style: ONE_LINE,
  required: field.required,
  ...(field.placeholder !== undefined && { placeholder: field.placeholder }),
  ...(field.minLength !== undefined && { min_length: field.minLength }),
  ...(field.maxLength !== undefined && { max_length: field.maxLength }),
});

/** `required` counts in forms only, where menus stand in labels. Source: Discord's reference, "String Select". */
const menuOf = ({ id, placeholder, required, options }: ModalMenu) => ({
  type: STRING_SELECT,
  custom_id: id,
  required,
  min_values: required ? 1 : 0,
  max_values: 1,
  ...(placeholder !== undefined && { placeholder }),
  options: options.map(({ value, label, description, chosen }) => ({
    value,
    label,
    ...(description !== undefined && { description }),
    default: chosen,
  })),
});

/** Fields follow the limits in `ModalField` and `ModalMenu`. */
export const modalBody = ({ customId, title, fields }: Modal) => ({
  custom_id: customId,
  title,
  components: fields.map((field) => ({
    type: LABEL,
    label: field.label,
    component: "options" in field ? menuOf(field) : inputOf(field),
  })),
});

/** Discord's limits for an application without a boosted guild. Source: its reference, "Uploading Files". */
const MOST_FILES = 10;
const MOST_BYTES = 10 * 1_024 * 1_024;
const LONGEST_NAME = 100;
/** Characters that end a header or a quoted name, that parsers read differently (`%`), or that are invisible. */
const UNSAFE_IN_NAME = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"\\/%]/gu;

/** File name for the upload: one line without quotes or paths, at most its last 100 characters. */
export const sentName = ({ name }: ReplyFile): string => {
  const clean = Array.from(name.toWellFormed().replace(UNSAFE_IN_NAME, "_").trim());
  return clean.slice(-LONGEST_NAME).join("") || "_";
};

/** Whether the files are within Discord's limits of number and size. */
export const fitsUpload = (files: readonly ReplyFile[]): boolean =>
  files.length <= MOST_FILES && uploadBytes(files) <= MOST_BYTES;

export const uploadBytes = (files: readonly ReplyFile[]): number =>
  files.reduce((sum, { data }) => sum + data.byteLength, 0);

/**
 * Form with `payload` as `payload_json` and each file as `files[n]`, byte for byte. It can be sent repeatedly. Source:
 * Discord's reference, "Uploading Files".
 */
export const formOf = (payload: object, files: readonly ReplyFile[]): FormData => {
  const form = emptyForm();
  form.append("payload_json", JSON.stringify(payload));
  for (const [n, file] of files.entries())
    form.append(
      `files[${n}]`,
      new Blob([new Uint8Array(file.data)], { type: file.contentType }),
      sentName(file),
    );
  return form;
};
