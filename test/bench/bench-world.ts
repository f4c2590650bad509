/** Names and ids shared by the load server, the bots and the seeding. */
export type BotName = "ours" | "yardstick";

export interface BenchBot {
  readonly name: BotName;
  readonly applicationId: string;
  readonly token: string;
}

const bot = (name: BotName, applicationId: string): BenchBot => ({
  name,
  applicationId,
  token: `${Buffer.from(applicationId).toString("base64url")}.bench0.${name}-token-that-opens-nothing`,
});

export const BOTS: Readonly<Record<BotName, BenchBot>> = {
  ours: bot("ours", "1190000000000000001"),
  yardstick: bot("yardstick", "1190000000000000002"),
};

export const CHANNEL_ID = "1190000000000000200";
export const COMMAND_ID = "1190000000000000300";

export const USERS = 60_000;
export const POSTS = 1_000;

/** A hundred users each: their commands together stay below a server's limit. */
export const guildId = (user: number): string =>
  `1196000000000${String(Math.floor(user / 100)).padStart(6, "0")}`;
export const userId = (index: number): string => `1191000000000${String(index).padStart(6, "0")}`;
export const apiKey = (index: number): string => `sk_bench_${String(index).padStart(24, "0")}`;
export const postChannelId = (index: number): string =>
  `1192000000000${String(index).padStart(6, "0")}`;
export const postGuildId = (index: number): string =>
  `1195000000000${String(index).padStart(6, "0")}`;
export const WALLET_DELAY_MS = 20;
