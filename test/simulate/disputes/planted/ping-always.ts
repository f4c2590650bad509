import type { Plant } from "../bot.ts";

const ROLE = "900000000000000001";

/** Calls a role at every step. */
export const pingAlways: Plant = (parts) => {
  const { post } = parts.posting;
  return {
    ...parts,
    posting: {
      ...parts.posting,
      post: (channelId, body) =>
        post(channelId, { ...body, pings: { userId: ROLE, ...body.pings, roleId: ROLE } }),
    },
  };
};
