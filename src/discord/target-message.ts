import type { TargetMessage } from "./command.ts";
import { fieldsOf, idOf, itemsOf, textOf, type WireFields } from "./json.ts";

const instantOf = (value: unknown): Temporal.Instant | undefined => {
  const text = textOf(value);
  if (text === undefined) return undefined;
  try {
    return Temporal.Instant.from(text);
  } catch {
    // Text that is no instant reads as absent.
    return undefined;
  }
};

/** Only its name: an attachment's address expires within a day. Source: Discord's reference, "Signed Attachment CDN URLs". */
const fileNameOf = (attachment: unknown): readonly string[] => {
  const name = textOf(fieldsOf(attachment)["filename"]) ?? "";
  return name === "" ? [] : [name];
};

/** Punctuation after a link in a sentence or in Markdown. */
const LINK_END = /[.,:;"'”’»…*_|~!?)]{1,9}$/;

/** The path of an address; its host where the path is empty. */
const pathIn = (link: string): string | undefined => {
  const url = URL.parse(link.replace(LINK_END, ""));
  if (url === null) return undefined;
  const path = url.pathname.replace(/\/$/, "");
  return path === "" ? url.host : path;
};

/**
 * Whether an embed may be the preview of a link in the text, by its path: Discord changes some hosts, such as
 * mobile.twitter.com.
 */
const isPreviewOf = (content: string, embed: WireFields): boolean => {
  const path = pathIn(textOf(embed["url"]) ?? "");
  const links = content.match(/https?:\/\/[^\s<>\]]+/gi) ?? [];
  return path !== undefined && links.some((link) => pathIn(link) === path);
};

/**
 * Embeds that the message brought, not those that Discord made from its links: previews of posts on X are `rich` as well.
 * Only bots and webhooks bring embeds; a forward's copy names no author. Source: Discord's documentation, issue 1344.
 */
const ownEmbeds = (message: WireFields): readonly WireFields[] => {
  const embeds = itemsOf(message["embeds"]).map(fieldsOf);
  const { author, content } = message;
  if (author === undefined)
    return embeds.filter((embed) => !isPreviewOf(textOf(content) ?? "", embed));
  const mayBring = fieldsOf(author)["bot"] === true || textOf(message["webhook_id"]) !== undefined;
  return mayBring ? embeds : [];
};

/** Discord makes embeds of other types from links. */
const embedTexts = (embed: WireFields): readonly (string | undefined)[] => {
  if ((textOf(embed["type"]) ?? "rich") !== "rich") return [];
  const fields = itemsOf(embed["fields"]).map((item) => {
    const field = fieldsOf(item);
    return [textOf(field["name"]), textOf(field["value"])]
      .filter((each) => each !== undefined)
      .join(": ");
  });
  return [textOf(embed["title"]), textOf(embed["description"]), ...fields];
};

const TEXT_DISPLAY = 10;
/** A container, a section in it, and the section's texts. */
const COMPONENT_DEPTH = 3;

const componentsIn = (components: unknown, depth = COMPONENT_DEPTH): readonly WireFields[] =>
  depth === 0
    ? []
    : itemsOf(components)
        .map(fieldsOf)
        .flatMap((each) => [each, ...componentsIn(each["components"], depth - 1)]);

const componentText = ({ type, content }: WireFields): string | undefined =>
  type === TEXT_DISPLAY ? textOf(content) : undefined;

/** Address of a file that was uploaded with a message, not of a picture from elsewhere. */
const UPLOADED =
  /^https:\/\/(?:cdn\.discordapp\.com|media\.discordapp\.net)\/(?:ephemeral-)?attachments\/\d+\/\d+\/([^/?#]+)/;

/**
 * Names of the uploaded files that a message shows in its embeds and components: Discord leaves them out of its
 * attachments. Source: Discord's reference, "Message Object".
 */
const shownFiles = (message: WireFields): readonly string[] => {
  const media = [
    ...ownEmbeds(message).flatMap((embed) => [embed["image"], embed["thumbnail"]]),
    ...componentsIn(message["components"]).flatMap(({ file, items, accessory }) => [
      ...itemsOf(items).map((item) => fieldsOf(item)["media"]),
      file,
      fieldsOf(accessory)["media"],
    ]),
  ];
  return media.flatMap((each) => UPLOADED.exec(textOf(fieldsOf(each)["url"]) ?? "")?.[1] ?? []);
};

const filesOf = (message: WireFields): readonly string[] => {
  const listed = itemsOf(message["attachments"]).flatMap(fileNameOf);
  const shown = new Set(shownFiles(message)).difference(new Set(listed));
  return [...listed, ...shown];
};

/** All that messages say, in Discord's order; Discord bounds the length of each part. */
const textIn = (messages: readonly WireFields[]): string =>
  messages
    .flatMap((message) => [
      textOf(message["content"]),
      ...ownEmbeds(message).flatMap(embedTexts),
      ...componentsIn(message["components"]).map(componentText),
    ])
    .filter((text) => text !== undefined && text.trim() !== "")
    .join("\n");

/**
 * The message on which a menu command was chosen, from the interaction's `data`. Undefined without its id, channel,
 * author or time. Source: Discord's reference, "Interaction Data" and "Message Object".
 */
export const targetMessage = (data: WireFields): TargetMessage | undefined => {
  const id = idOf(data["target_id"]);
  const message = fieldsOf(fieldsOf(fieldsOf(data["resolved"])["messages"])[id ?? ""]);
  const author = fieldsOf(message["author"]);
  const channelId = idOf(message["channel_id"]);
  const authorId = idOf(author["id"]);
  const writtenAt = instantOf(message["timestamp"]);
  if (
    id === undefined ||
    channelId === undefined ||
    authorId === undefined ||
    writtenAt === undefined
  )
    return undefined;
  // A forward shows a copy, which does not name its author.
  const forwarded = itemsOf(message["message_snapshots"]).map((snapshot) =>
    fieldsOf(fieldsOf(snapshot)["message"]),
  );
  const shown = [message, ...forwarded];
  return {
    id,
    channelId,
    authorId,
    authorName: textOf(author["global_name"]) ?? textOf(author["username"]) ?? "",
    content: textIn(shown),
    writtenAt,
    editedAt: instantOf(message["edited_timestamp"]),
    attachments: shown.flatMap(filesOf),
    forwarded: forwarded.length > 0,
  };
};
