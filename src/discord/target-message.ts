import type { TargetMessage } from "./command-kit.ts";
import { fieldsOf, itemsOf, textOf, type WireFields } from "./wire.ts";

const ID = /^\d{1,20}$/;
const LONGEST_LINK = 2_000;

const idOf = (value: unknown): string | undefined => {
  const id = textOf(value);
  return id !== undefined && ID.test(id) ? id : undefined;
};

const instantOf = (value: unknown): Temporal.Instant | undefined => {
  const text = textOf(value);
  if (text === undefined) return undefined;
  try {
    return Temporal.Instant.from(text);
  } catch {
    // No instant is an answer like any other: the caller reads it as absent.
    return undefined;
  }
};

const linkOf = (attachment: unknown): readonly string[] => {
  const url = textOf(fieldsOf(attachment)["url"]);
  return url !== undefined && url.length <= LONGEST_LINK && URL.canParse(url) ? [url] : [];
};

/**
 * The message that a command of a message's menu was chosen on, from `data` of its interaction. Undefined when Discord
 * does not say which it is, who wrote it or when. Source: Discord's reference, "Interaction Data" and "Message Object".
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
  return {
    id,
    channelId,
    authorId,
    authorName: textOf(author["global_name"]) ?? textOf(author["username"]) ?? "",
    content: textOf(message["content"]) ?? "",
    writtenAt,
    editedAt: instantOf(message["edited_timestamp"]),
    attachments: itemsOf(message["attachments"]).flatMap(linkOf),
  };
};
