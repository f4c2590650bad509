import { parseConfig } from "./config.ts";
import { fileArgument, host, runProgram } from "./program.ts";
import { createLogger } from "./shared/log.ts";
import { createSecretScrubber } from "./shared/secret.ts";
import { restoreDatabase } from "./database/backup.ts";
import { parseKeyRing } from "./database/encryption.ts";

await runProgram(async () => {
  const config = parseConfig(process.env, "restore");
  const file = fileArgument("restore");
  const { replaced } = await restoreDatabase(config.databaseUrl, file, {
    ring: parseKeyRing(config.masterKey.reveal()),
    walletBaseUrl: config.walletBaseUrl,
    random: host.random,
    log: createLogger("warn", createSecretScrubber()),
    now: host.clock.now(),
    environment: process.env,
  });
  return {
    lines: [
      `Put back ${file}.`,
      ...(replaced === undefined ? [] : [`The database before it is kept as ${replaced}.`]),
      "At its next start the bot compares each account with the service before any money moves, and asks its owner where the two differ.",
      "Locks, PINs, limits and connections are as they were when the backup was made.",
    ],
  };
});
