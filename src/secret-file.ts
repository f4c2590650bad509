import { readFileSync, statSync } from "node:fs";
import type { ReadSecretFile } from "./config.ts";

/** Reads a file that holds a secret, with its permission bits. */
export const readSecretFile: ReadSecretFile = (path) => {
  try {
    return { text: readFileSync(path, "utf8"), mode: statSync(path).mode & 0o777 };
  } catch {
    // The caller says that it cannot be read; why is the operator's to see with `ls -l`.
    return undefined;
  }
};
