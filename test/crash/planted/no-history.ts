import { runBotProcess } from "#src/sandbox/bot-process.ts";

/** Planted: nobody looks at the channel before posting again, so that a late repeat is a second message. */
runBotProcess({
  poster: (real) => ({ ...real, findPosted: async () => ({ kind: "absent" }) }),
});
