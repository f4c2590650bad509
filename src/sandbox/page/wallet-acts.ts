import { z } from "zod";
import type { WaitingFaults } from "../faults.ts";
import { ANA, BRUNO } from "../world.ts";
import type { PageSandbox } from "./page-sandbox.ts";
import type { PageTrouble } from "./page-view.ts";

const MONEY_ROUTES = ["POST /v1/withdraw", "POST /v1/split/withdraw", "POST /v1/withdraw/cancel"];
const FAILURE = { reason: "Conta de destino encerrada.", code: "ACCOUNT_CLOSED" } as const;

const Owner = z.enum([ANA.id, BRUNO.id]);

/** Something that is done in the page to the wallet service, not through the bot. */
export const WalletAct = z.discriminatedUnion("kind", [
  /** The next request that moves money goes wrong, or does not after all. */
  z.object({ kind: z.enum(["lose_answer", "lose_request"]), on: z.boolean() }),
  /** The account's next withdrawal is accepted and then fails, or does not after all. */
  z.object({ kind: z.literal("fail"), owner: Owner, on: z.boolean() }),
  z.object({
    kind: z.literal("dashboard"),
    owner: Owner,
    reais: z.number().positive().max(100_000).multipleOf(0.01),
    pixKey: z.string().max(100),
    turbo: z.boolean(),
  }),
]);
export type WalletAct = z.infer<typeof WalletAct>;

export interface WalletActs {
  /** `refused` in the service's words, when it refused. */
  readonly perform: (act: WalletAct) => { readonly refused: string | null };
  /** What is set to go wrong with the next request that moves money. */
  readonly trouble: () => Omit<PageTrouble, "fail">;
}

export const createWalletActs = ({ faults, wallet }: PageSandbox): WalletActs => {
  const waiting: Record<"lose_answer" | "lose_request", WaitingFaults | undefined> = {
    lose_answer: undefined,
    lose_request: undefined,
  };

  const lose = (kind: keyof typeof waiting, on: boolean): void => {
    waiting[kind]?.cancel();
    const at = kind === "lose_answer" ? "after" : "before";
    waiting[kind] = on ? faults.failNext(MONEY_ROUTES, { kind: "reset", at }) : undefined;
  };

  return {
    perform: (act) => {
      switch (act.kind) {
        case "fail":
          wallet.failNextWithdrawal(act.owner, undefined);
          if (act.on) wallet.failNextWithdrawal(act.owner, FAILURE);
          break;
        case "dashboard": {
          const { owner, reais, pixKey, turbo } = act;
          const order = { amountCents: Math.round(reais * 100), pixKey, turbo };
          const done = wallet.dashboardWithdraw(owner, order);
          if (done.kind === "refused") return { refused: done.message };
          break;
        }
        case "lose_answer":
        case "lose_request":
          lose(act.kind, act.on);
          break;
      }
      return { refused: null };
    },
    trouble: () => ({
      loseAnswer: (waiting.lose_answer?.left() ?? 0) > 0,
      loseRequest: (waiting.lose_request?.left() ?? 0) > 0,
    }),
  };
};
