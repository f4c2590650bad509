import type { DeliveryPayload } from "../domain/delivery.ts";
import type { Row } from "./components.ts";
import { embed, fitTogether, type EmbedParts } from "./embed.ts";
import { cut, limits } from "./limits.ts";

interface PostParts extends Omit<EmbedParts, "footer"> {
  /**
   * All that a locked phone shows: what happened, in plain words of ours with amounts and hours. No markdown, nothing
   * that strangers wrote.
   */
  readonly sentence: string;
  /** Mark by which the message is found again. */
  readonly reference: string;
}

/** What stands under a post: the search of a channel's history looks for the mark in it. */
export const markedFooter = (reference: string): string => `Balcão · ${reference}`;

/** A message that nobody asked for just now: a channel post or a direct message, of one embed and perhaps buttons. */
export const post = (
  { sentence, reference, ...parts }: PostParts,
  ...rows: readonly Row[]
): DeliveryPayload => ({
  content: cut(sentence, limits.sentence),
  embeds: fitTogether([embed({ ...parts, footer: markedFooter(reference) })]),
  ...(rows.length > 0 && { components: rows }),
});
