// In JavaScript for the reason in src/start.js.
import "./require-node.js";

await import("./compile-cache.js");
await import("./shards.ts");
