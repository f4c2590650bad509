import type { DeliveryPayload } from "../domain/delivery.ts";
import { embed, fitTogether, type EmbedParts } from "./embed.ts";

/** A message that nobody asked for just now: a channel post or a direct message, of one embed. */
export const post = (parts: EmbedParts): DeliveryPayload => ({
  embeds: fitTogether([embed(parts)]),
});
