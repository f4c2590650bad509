// In JavaScript for the reason in src/start.js.
import "./require-node.js";

const { enableCompileCache } = await import("node:module");
enableCompileCache();
await import("./shards.ts");
