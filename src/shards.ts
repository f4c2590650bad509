import { createDiscordApi, TOKEN_REFUSED } from "./discord/discord-api.ts";
import { askForGateway, realWait } from "./discord/identify-limiter.ts";
import { exitCodes } from "./shared/errors.ts";
import { shareShards, superviseShards } from "./supervise-shards.ts";
import { createStartLog, readStartConfig, say } from "./program.ts";

const config = readStartConfig();
const log = createStartLog(config);

const refuse = (sentence: string): never => {
  say([sentence]);
  return process.exit(exitCodes.configuration);
};

if (config.databaseUrl.startsWith("sqlite:"))
  refuse(
    "Several processes need PostgreSQL: SQLite (DATABASE_URL) serves one, which npm start runs.",
  );

const stopping = new AbortController();
const { signal } = stopping;
process.on("SIGTERM", () => stopping.abort());
process.on("SIGINT", () => stopping.abort());

/** Asks Discord for its recommended number of shards, until it answers. */
const recommendedShards = async (): Promise<number> => {
  const { discordApiUrl: apiUrl, discordToken: token } = config;
  const api = createDiscordApi({ apiUrl, token, log });
  try {
    const information = await askForGateway({ api, log, wait: realWait, signal });
    return information?.shards ?? refuse(TOKEN_REFUSED);
  } catch (error) {
    if (signal.aborted) return process.exit(exitCodes.done);
    throw error;
  } finally {
    await api.close();
  }
};

const shardCount = config.shardCount ?? (await recommendedShards());
const shards = config.shards ?? Array.from({ length: shardCount }, (_, shard) => shard);
const { http } = config;
const code = await superviseShards({
  token: config.discordToken.reveal(),
  parts: shareShards(shards, config.shardProcesses),
  shardCount,
  // Each process serves its own health pages.
  environmentOf: (index) => (http === undefined ? {} : { HTTP_PORT: String(http.port + index) }),
  log,
  signal,
});
/** Its processes end with 78 as well, because their number of shards is a setting; a new start asks again. */
const isOutgrown = async (): Promise<boolean> =>
  code === exitCodes.configuration &&
  config.shardCount === undefined &&
  (await recommendedShards()) > shardCount;
process.exit((await isOutgrown()) ? exitCodes.tryLater : code);
