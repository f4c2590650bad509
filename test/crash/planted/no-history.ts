import { runBotProcess } from "#src/sandbox/bot-process.ts";

/** Planted: skips the search of the channel before a repeat, so that a late repeat posts a second message. */
runBotProcess({
  poster: (real) => ({ ...real, findPosted: async () => ({ kind: "absent" }) }),
});
