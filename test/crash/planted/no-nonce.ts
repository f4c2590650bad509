import { runBotProcess } from "#src/sandbox/bot-process.ts";

/** Planted: posts without a nonce, so that a repeat within two minutes is a second message. */
runBotProcess({
  poster: (real) => ({
    ...real,
    post: (channelId, { embeds = [] }, isInTime) => real.post(channelId, { embeds }, isInTime),
  }),
});
