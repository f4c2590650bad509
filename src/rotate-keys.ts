import { randomBytes } from "node:crypto";
import { ConfigError, parseConfig } from "./config.ts";
import { exitCodes } from "./shared/exit-codes.ts";
import { readSecretFile } from "./secret-file.ts";
import { createLogger } from "./shared/log.ts";
import { createSecretScrubber } from "./shared/secret-scrubber.ts";
import { startFailure } from "./start-failure.ts";
import { openDatabase } from "./store/database.ts";
import { type RotationReport, rotateKeys } from "./store/key-rotation.ts";
import { parseKeyRing } from "./store/vault.ts";

const random = { bytes: (size: number) => randomBytes(size), fraction: Math.random };
const clock = { now: () => Temporal.Now.instant() };

const say = (lines: readonly string[]): void => void process.stdout.write(`${lines.join("\n")}\n`);

const rotate = async (): Promise<RotationReport> => {
  const config = parseConfig(process.env, "rotate-keys", readSecretFile);
  const ring = parseKeyRing(config.masterKey.reveal());
  const log = createLogger("warn", createSecretScrubber());
  const database = await openDatabase(config.databaseUrl, { clock, random, log });
  try {
    return await rotateKeys(database.db, ring, config.walletBaseUrl, random);
  } finally {
    await database.close();
  }
};

const linesOf = (report: RotationReport): string[] => [
  `Sealed ${report.rotated} values anew with the key "${report.currentKid}". Values sealed with each key now:`,
  ...[...report.sealedPerKid].map(([kid, sealed]) => `  ${kid}: ${sealed}`),
  ...report.unreadable.map((row) => `No key of the ring reads this: ${row}.`),
  report.sealedPerKid.size === 1
    ? "The other keys of the ring are no longer needed by this database; its backups still need them."
    : "Keep every key that is named here, and run this again.",
];

/** What to tell the operator, and the code to end with. */
const failureOf = (
  error: unknown,
): { readonly lines: readonly string[]; readonly code: number } => {
  if (error instanceof ConfigError)
    return { lines: [`${error.message}:`, ...error.problems], code: exitCodes.configuration };
  const { code, advice } = startFailure(error);
  if (advice === undefined) throw error;
  return { lines: [advice], code };
};

try {
  const report = await rotate();
  say(linesOf(report));
  process.exitCode = report.sealedPerKid.size === 1 ? exitCodes.done : exitCodes.failed;
} catch (error) {
  const { lines, code } = failureOf(error);
  say(lines);
  process.exitCode = code;
}
