import { randomBytes } from "node:crypto";
import { createVirtualClock } from "./clock.ts";
import { startLocalDiscord, type LocalDiscordOptions } from "./discord/local-discord.ts";
import { createFaults } from "./faults.ts";
import { createRecorder } from "./recorder.ts";
import { startLocalWallet, type LocalWalletOptions } from "./wallet/local-wallet.ts";
import { APPLICATION } from "./world.ts";

export interface SandboxOptions {
  /** First time of the virtual clock; real time by default. */
  readonly start?: Temporal.Instant;
  /** File to which each request to the local Discord is added as one line of JSON. */
  readonly recordTo?: string;
  readonly discord?: Omit<LocalDiscordOptions, "clock" | "faults" | "record">;
  readonly wallet?: Omit<LocalWalletOptions, "clock" | "faults">;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** A local Discord and a local wallet service under one virtual clock. No request leaves this machine. */
export const startSandbox = async (options: SandboxOptions = {}) => {
  const clock = createVirtualClock(options.start);
  const faults = createFaults();
  const recorder = options.recordTo === undefined ? undefined : createRecorder(options.recordTo);
  const discord = await startLocalDiscord({
    ...options.discord,
    clock,
    faults,
    ...(recorder === undefined ? {} : { record: recorder.record }),
  });
  const wallet = await startLocalWallet({ ...options.wallet, clock, faults });
  clock.onMove(wallet.webhooks.look);
  const masterKey = `sandbox:${randomBytes(32).toString("base64")}`;

  return {
    clock,
    discord,
    wallet,
    /** Of both services. */
    faults,
    /** The bot's configuration for this sandbox, with the same key ring at each call. */
    botEnvironment: (databaseUrl: string): Readonly<Record<string, string>> => ({
      DISCORD_TOKEN: APPLICATION.token,
      DISCORD_API_URL: discord.apiUrl,
      WALLET_BASE_URL: wallet.baseUrl,
      DATABASE_URL: databaseUrl,
      MASTER_KEY: masterKey,
      WITHDRAW_ENABLED: "true",
      REFUND_ENABLED: "true",
      // One visitor plays all people, and a check does a day's work within seconds.
      COMMANDS_PER_PERSON: "100000",
      COMMANDS_PER_SERVER: "100000",
      LOG_LEVEL: "warn",
    }),
    stop: async (): Promise<void> => {
      await wallet.stop();
      await discord.stop();
      await recorder?.close();
    },
  };
};
