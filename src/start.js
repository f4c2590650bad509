// In JavaScript on purpose: for an entry in TypeScript, Node loads its type stripper into every process, 15 MB that stay.
// Behind this one it reads the stripped and compiled modules from the cache, from the second start on.
import "./require-node.js";

const { enableCompileCache } = await import("node:module");
enableCompileCache();
await import("./main.ts");
