// In JavaScript for the reason in src/start.js.
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// A folder of the bot's own: in Node's, which lies in the shared temporary one, another user of the machine could put
// compiled code, which Node would run beside the keys. A start does without a folder that cannot be written.
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/balcao-compiled"));
