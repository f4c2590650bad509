import { parseConfig } from "./config.ts";
import { fileArgument, runProgram } from "./program.ts";
import { backupDatabase } from "./database/backup.ts";

const MEGABYTE = 1_000_000;

await runProgram(async () => {
  const { databaseUrl } = parseConfig(process.env, "backup");
  const file = fileArgument("backup");
  const bytes = await backupDatabase(databaseUrl, file, process.env);
  return {
    lines: [
      `Wrote ${file}: ${(bytes / MEGABYTE).toFixed(1)} MB. The bot did not have to stop for this.`,
      "The key ring (MASTER_KEY) is not in it: keep that apart. Without it nobody's API key can be read again.",
      databaseUrl.startsWith("sqlite:")
        ? "To put it back: stop the bot, npm run restore -- FILE, start the bot."
        : "To put it back: stop every bot, create an empty database, point DATABASE_URL at it, npm run restore -- FILE, start the bot.",
    ],
  };
});
