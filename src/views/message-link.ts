import type { Proof } from "../domain/proof.ts";

const DIGITS = /^\d{1,20}$/;

/** Where a kept message stands in Discord; ids alone, so that nothing of a stranger's becomes part of an address. */
export const messageLink = ({ guildId, content: { channelId, messageId } }: Proof): string =>
  [guildId, channelId, messageId].every((id) => DIGITS.test(id))
    ? `https://discord.com/channels/${guildId}/${channelId}/${messageId}`
    : "—";
