import type { Plant } from "../bot.ts";

/** Does not ask Discord to keep an attempt from being a second message. */
export const noNonce: Plant = (parts) => {
  const { post } = parts.posting;
  return {
    ...parts,
    posting: {
      ...parts.posting,
      post: (channelId, body) => post(channelId, { ...body, enforce_nonce: false as true }),
    },
  };
};
