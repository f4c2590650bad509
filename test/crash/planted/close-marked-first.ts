import { registerHooks } from "node:module";
import { plant } from "../money/planted.ts";
import { CLOSE_MARKED_FIRST } from "./close-bug.ts";

/** Planted: marks a period as done before its close is in the outbox, so that a crash between them loses it. */
registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/${CLOSE_MARKED_FIRST.module}`)) return loaded;
    const text = new TextDecoder().decode(loaded.source as Uint8Array);
    return { ...loaded, source: plant(CLOSE_MARKED_FIRST, text) };
  },
});
const { runBotProcess } = await import("#src/sandbox/bot-process.ts");
runBotProcess();
