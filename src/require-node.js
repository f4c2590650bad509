// In JavaScript with old syntax only, because an old Node must be able to run it.
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const needed = Number(/\d+/.exec(engines.node)?.[0]);
const present = process.versions.node;

if (Number(present.split(".")[0]) < needed) {
  process.stderr.write(
    `Balcão needs Node ${needed} or newer and this is Node ${present}: install it from https://nodejs.org, ` +
      "or run npm ci without --omit=dev, which brings it along.\n",
  );
  process.exit(78);
}

// A sentence for the operator that cannot be written, as on a full disk, must not end a program that serves.
process.stderr.on("error", () => {});
