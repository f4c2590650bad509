import { parseConfig } from "./config.ts";
import { host, runProgram } from "./program.ts";
import { exitCodes } from "./shared/errors.ts";
import { createLogger } from "./shared/log.ts";
import { createSecretScrubber } from "./shared/secret.ts";
import { openDatabase } from "./database/database.ts";
import { rotateKeys, type RotationReport } from "./database/key-rotation.ts";
import { parseKeyRing } from "./database/encryption.ts";
import { existingFileOf } from "./database/sqlite-database.ts";

const rotate = async (): Promise<RotationReport> => {
  const config = parseConfig(process.env, "rotate-keys");
  const ring = parseKeyRing(config.masterKey.reveal());
  // A wrong path would become a new database, whose rows never need the old key.
  if (config.databaseUrl.startsWith("sqlite:")) existingFileOf(config.databaseUrl);
  const log = createLogger("warn", createSecretScrubber());
  const database = await openDatabase(config.databaseUrl, { ...host, log });
  try {
    return await rotateKeys(database.db, ring, config.walletBaseUrl, host.random);
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

await runProgram(async () => {
  const report = await rotate();
  const isDone = report.sealedPerKid.size === 1;
  return { lines: linesOf(report), code: isDone ? exitCodes.done : exitCodes.failed };
});
