import { MessageFlags } from "discord-api-types/v10";
import { z } from "zod";
import { areUnique, filledText, flag, lengthOf, link, snowflake, text } from "./checks.ts";
import { attachmentName, type MessageBody, type UploadedFile } from "../message-body.ts";
import { rows } from "./components.ts";

const uniqueIds = z
  .array(snowflake)
  .max(100)
  .refine(areUnique, "The set already contains this value")
  .nullish();

/** `allowed_mentions`: each kind is allowed either as a whole or by ids. */
const allowedMentions = z
  .object({
    parse: z.array(z.literal(["users", "roles", "everyone"])).nullish(),
    users: uniqueIds,
    roles: uniqueIds,
    replied_user: flag,
  })
  .refine(
    ({ parse, users, roles }) =>
      !(parse?.includes("users") && users?.length) && !(parse?.includes("roles") && roles?.length),
    { path: ["parse"], message: "A kind and ids of that kind are mutually exclusive." },
  );

/** Use of a message body: a channel message, an answer to an interaction, or an edit. */
export type MessagePlace = "channel" | "answer" | "edit";

const anyLink = link(["http", "https"]);
const mediaLink = link(["http", "https", "attachment"]);
const media = z.object({ url: mediaLink }).nullish();

const embed = z
  .object({
    title: text(0, 256).nullish(),
    description: text(0, 4_096).nullish(),
    url: anyLink.nullish(),
    color: z.int().min(0).max(0xffffff).nullish(),
    timestamp: z
      .string()
      .refine((given) => !Number.isNaN(Date.parse(given)), "Should be ISO8601.")
      .nullish(),
    footer: z.object({ text: text(0, 2_048), icon_url: mediaLink.nullish() }).nullish(),
    image: media,
    thumbnail: media,
    author: z
      .object({ name: text(0, 256), url: anyLink.nullish(), icon_url: mediaLink.nullish() })
      .nullish(),
    fields: z
      .array(z.object({ name: filledText(256), value: filledText(1_024), inline: flag }))
      .max(25)
      .nullish(),
  })
  .refine(
    ({ title, description, fields, image, thumbnail, footer, author }) =>
      title || description || fields?.length || image || thumbnail || footer?.text || author?.name,
    "This field is required",
  );
type Embed = z.infer<typeof embed>;

const MOST_CHARACTERS = 6_000;

const sizeOf = ({ title, description, footer, author, fields }: Embed): number =>
  [title, description, footer?.text, author?.name]
    .concat((fields ?? []).flatMap(({ name, value }) => [name, value]))
    .reduce((sum, part) => sum + lengthOf(part ?? ""), 0);

/** Up to 10 embeds with 6,000 characters in total. */
const embeds = z
  .array(embed)
  .max(10)
  .refine(
    (given) => given.reduce((sum, each) => sum + sizeOf(each), 0) <= MOST_CHARACTERS,
    `Embed size exceeds maximum size of ${MOST_CHARACTERS}`,
  );

/** Largest attachment of a server without boosts. */
export const MOST_ATTACHMENT_BYTES = 10 * 1_024 * 1_024;

const file = z
  .custom<UploadedFile>()
  .refine(
    ({ index, data }) => index !== null && data.length <= MOST_ATTACHMENT_BYTES,
    `Files are named files[n] and have up to ${MOST_ATTACHMENT_BYTES} bytes`,
  );

/** With the files of the request beside the fields of the body. */
const body = z
  .object({
    content: text(0, 2_000).nullish(),
    flags: z.int().min(0).nullish(),
    tts: flag,
    allowed_mentions: allowedMentions.nullish(),
    embeds: embeds.nullish(),
    components: rows.nullish(),
    attachments: z
      .array(
        z.object({
          id: z.union([z.string().regex(/^\d{1,20}$/), z.int()]),
          filename: text(1, 1_024).nullish(),
          description: text(0, 1_024).nullish(),
        }),
      )
      .max(10)
      .nullish(),
    files: z.array(file).max(10),
    nonce: z.union([text(0, 25), z.int()]).nullish(),
    enforce_nonce: flag,
  })
  .superRefine(({ embeds: given, attachments, files }, context) => {
    const names = new Set<unknown>([...files, ...(attachments ?? [])].map(nameOf));
    for (const [index, { image, thumbnail, footer, author }] of (given ?? []).entries()) {
      const urls = [
        [["image", "url"], image?.url],
        [["thumbnail", "url"], thumbnail?.url],
        [["footer", "icon_url"], footer?.icon_url],
        [["author", "icon_url"], author?.icon_url],
      ] as const;
      for (const [place, url] of urls) {
        const name = attachmentName(url ?? undefined);
        if (name === undefined || names.has(name)) continue;
        const path = ["embeds", index, ...place];
        context.addIssue({ code: "custom", path, message: `No uploaded file is named ${name}` });
      }
    }
  });

const nameOf = (file: { readonly name?: string; readonly filename?: unknown }): unknown =>
  file.name ?? file.filename;

const CHANNEL_FLAGS =
  MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications | MessageFlags.IsVoiceMessage;

const withFlags = (most: number) =>
  body.refine(({ flags }) => ((flags ?? 0) & ~most) === 0, {
    path: ["flags"],
    message: "These flags cannot be set here",
  });

const edit = withFlags(CHANNEL_FLAGS | MessageFlags.Ephemeral);

const withFilesOf = (message: typeof body) =>
  message.refine(
    ({ attachments, files }) =>
      (attachments ?? []).every(({ id }) => files.some(({ index }) => index === Number(id))),
    { path: ["attachments"], message: "A new attachment needs a file" },
  );

/** Bodies of messages without components v2. Source: Discord's reference of messages, embeds and components. */
export const messageBodies = {
  /** An enforced nonce is required. */
  channel: withFilesOf(withFlags(CHANNEL_FLAGS)).refine(
    ({ nonce, enforce_nonce: enforced }) => enforced !== true || (nonce ?? "") !== "",
    { path: ["nonce"], message: "This field is required" },
  ),
  answer: withFilesOf(edit),
  edit,
} as const satisfies Record<MessagePlace, z.ZodType>;

/** Whether a new message with this body would be empty. */
export const showsNothing = (value: MessageBody, files: readonly UploadedFile[]): boolean =>
  !value.content?.trim() &&
  !value.embeds?.length &&
  !value.components?.length &&
  files.length === 0;
