import { Encoding, type FetchingStrategyOptions } from "@discordjs/ws";
import type { APIGatewayBotInfo } from "discord-api-types/v10";
import { SECOND } from "../shared/time.ts";

/** Discord sends what we ask for and nothing else; interactions come without asking. */
const NO_INTENTS = 0;

export interface ShardConnection {
  readonly token: string;
  readonly information: APIGatewayBotInfo;
  /** All shards of the bot, of every process. */
  readonly shardCount: number;
}

/** How a shard connects and introduces itself. Without compression: there is little to compress and CPU to save. */
export const shardOptions = (connection: ShardConnection): FetchingStrategyOptions => ({
  token: connection.token,
  gatewayInformation: connection.information,
  shardCount: connection.shardCount,
  intents: NO_INTENTS,
  version: "10",
  encoding: Encoding.JSON,
  compression: null,
  useIdentifyCompression: false,
  identifyProperties: { os: process.platform, browser: "balcao", device: "balcao" },
  initialPresence: null,
  largeThreshold: null,
  handshakeTimeout: 15 * SECOND,
  helloTimeout: 20 * SECOND,
  readyTimeout: 15 * SECOND,
});
