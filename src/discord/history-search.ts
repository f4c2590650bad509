import type { HistorySearch } from "../domain/delivery.ts";
import type { PacedAnswer } from "./paced-rest.ts";
import { fieldsOf, itemsOf, textOf } from "./wire.ts";

/** By what a post of ours is known again. */
export interface PostMarks {
  readonly authorId: string;
  readonly nonce: string;
  /** Stands in an embed's footer, or at the end of the content. */
  readonly reference: string;
}

export interface HistoryPage {
  /** Id of the post, when it is on this page. */
  readonly foundId: string | undefined;
  readonly length: number;
  /** Largest id of the page: the next page begins after it. */
  readonly lastId: string | undefined;
}

/** Undefined when this is no page of messages. */
export const readHistoryPage = (body: unknown, marks: PostMarks): HistoryPage | undefined => {
  if (!Array.isArray(body)) return undefined;
  const page = itemsOf(body);
  let lastId: string | undefined;
  let foundId: string | undefined;
  for (const message of page) {
    const id = textOf(fieldsOf(message)["id"]);
    if (id === undefined) return undefined;
    if (lastId === undefined || isLater(id, lastId)) lastId = id;
    if (isMarked(message, marks)) foundId = id;
  }
  return { foundId, length: page.length, lastId };
};

/** Ids are decimal numbers without leading zeros, beyond what a number holds. */
export const isLater = (id: string, than: string): boolean =>
  id.length === than.length ? id > than : id.length > than.length;

const isMarked = (message: unknown, { authorId, nonce, reference }: PostMarks): boolean => {
  const fields = fieldsOf(message);
  if (fieldsOf(fields["author"])["id"] !== authorId) return false;
  if (fields["nonce"] === nonce) return true;
  if (textOf(fields["content"])?.endsWith(reference)) return true;
  return itemsOf(fields["embeds"]).some((embed) =>
    textOf(fieldsOf(fieldsOf(embed)["footer"])["text"])?.includes(reference),
  );
};

/**
 * What an empty span says. A channel whose history the bot may not read looks empty too, so it takes proof: the
 * channel's last message is older than the span, or some message of the channel could be read.
 * Source: Discord's reference, "Get Channel Messages" and the channel's `last_message_id`.
 */
export const emptySpanVerdict = (facts: {
  /** Undefined: not known. Null: there never was a message. */
  readonly lastMessageId: string | null | undefined;
  readonly after: string;
  readonly somethingReadable: boolean;
}): HistorySearch => {
  const { lastMessageId, after, somethingReadable } = facts;
  const nothingSince =
    lastMessageId === null || (lastMessageId !== undefined && !isLater(lastMessageId, after));
  return nothingSince || somethingReadable
    ? { kind: "absent" }
    : { kind: "unreadable", lasting: true };
};

/** What a failed read says: one of Discord's coded refusals will be the same the next time. */
export const unreadable = (answer: PacedAnswer): HistorySearch => ({
  kind: "unreadable",
  lasting: answer.kind === "error" && answer.status < 500 && answer.code !== undefined,
});
