import type { DeliveryPayload } from "../domain/delivery.ts";
import type { Row } from "./components.ts";
import { embed, fitTogether, type EmbedParts } from "./embed.ts";

/** A message that nobody asked for just now: a channel post or a direct message, of one embed and perhaps buttons. */
export const post = (parts: EmbedParts, ...rows: readonly Row[]): DeliveryPayload => ({
  embeds: fitTogether([embed(parts)]),
  ...(rows.length > 0 && { components: rows }),
});
