// In JavaScript on purpose: for an entry in TypeScript, Node loads its type stripper into every process, 15 MB that
// stay. From the second start on, the compile cache holds the compiled modules.
import "./require-node.js";

await import("./compile-cache.js");
const { bundledBot } = await import("./bundle.js");
await import(bundledBot() ?? "./main.ts");
