// In JavaScript for the reason that src/start.js names.
import "./require-node.js";

const { enableCompileCache } = await import("node:module");
enableCompileCache();
await import("./shards.ts");
