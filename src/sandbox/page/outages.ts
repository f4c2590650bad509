import { z } from "zod";
import type { BotSwitch } from "../start-bot-process.ts";
import type { PageSandbox } from "./page-sandbox.ts";
import type { PageOutages } from "./page-view.ts";

/** Something that is brought down in the page, or back. */
export const OutageAct = z.object({
  what: z.enum(["bot", "wallet", "discord"]),
  up: z.boolean(),
});
export type OutageAct = z.infer<typeof OutageAct>;

export type PageBot = Pick<BotSwitch, "state" | "kill" | "start" | "onChange">;

export interface Outages {
  /** Rejects when the bot does not get ready, e.g. because a service is down. */
  readonly perform: (act: OutageAct) => Promise<void>;
  readonly view: () => PageOutages;
}

/** Without `bot`, somebody else keeps it. */
export const createOutages = ({ discord, faults }: PageSandbox, bot?: PageBot): Outages => {
  const up = { wallet: true, discord: true };
  const serviceOf = (route: string): keyof typeof up =>
    / \/v1\//.test(route) ? "wallet" : "discord";

  const setService = (service: keyof typeof up, isUp: boolean): void => {
    up[service] = isUp;
    faults.setPlan({
      seed: 1,
      share: 1,
      faults: [{ kind: "reset", at: "before" }],
      appliesTo: (route) => !up[serviceOf(route)],
    });
    if (service === "wallet") return;
    discord.gateway.misbehave({ ignoreIdentify: !isUp, ignoreResume: !isUp });
    discord.gateway.drop();
  };

  return {
    perform: async ({ what, up: isUp }) => {
      if (what !== "bot") setService(what, isUp);
      else await (isUp ? bot?.start() : bot?.kill());
    },
    view: () => ({
      bot: bot?.state() ?? null,
      wallet: up.wallet ? "on" : "off",
      discord: up.discord ? "on" : "off",
    }),
  };
};
