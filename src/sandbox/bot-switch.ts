import type { BotProcess } from "./start-bot-process.ts";

export type BotState = "on" | "starting" | "off";

/** The bot, as somebody at the mains has it. */
export interface BotSwitch {
  /** The one that runs, or ran last. */
  readonly bot: () => BotProcess;
  readonly state: () => BotState;
  /** As in a power cut: the process has no say. Resolves when it is gone. */
  readonly kill: () => Promise<void>;
  /** A new process on the same data, unless there is one already. Rejects when it ends before it is ready. */
  readonly start: () => Promise<void>;
  /** Ends gracefully, and starts. */
  readonly restart: () => Promise<void>;
  /** Told of each new state; gives back what ends the telling. */
  readonly onChange: (listener: () => void) => () => void;
}

/** Starts the bot by `run`. @throws Error when it does not get ready. */
export const startBotSwitch = async (run: () => Promise<BotProcess>): Promise<BotSwitch> => {
  const listeners = new Set<() => void>();
  let state: BotState = "off";
  const become = (next: BotState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  let bot: BotProcess;
  const start = async (): Promise<void> => {
    if (state !== "off") return;
    become("starting");
    try {
      bot = await run();
      void bot.exited.then(() => become("off"));
      await bot.ready;
      become("on");
    } catch (error) {
      become("off");
      throw error;
    }
  };
  await start();
  return {
    bot: () => bot,
    state: () => state,
    kill: async () => {
      bot.kill("SIGKILL");
      await bot.exited;
    },
    start,
    restart: async () => {
      await bot.stop();
      await start();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
