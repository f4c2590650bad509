import { chownSync, readdirSync } from "node:fs";
import { join } from "node:path";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Runs work as a user whom permissions of files bind, as they do not root. */
export const asBoundUser = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  if (!isRoot) return await work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
};

/** Makes that user the owner of a folder and of its files. */
export const giveToBoundUser = (folder: string): void => {
  if (!isRoot) return;
  for (const name of ["", ...readdirSync(folder)]) chownSync(join(folder, name), NOBODY, NOBODY);
};
