import { z } from "zod";
import type { MedOutcome } from "../wallet/wallet-controls.ts";
import { ANA, BRUNO } from "../world.ts";
import type { PageSandbox } from "./page-sandbox.ts";

const LONGEST_HOURS = 30 * 24;
const ORIGINAL = { type: "api", product: "Plano VIP mensal" } as const;
const ANSWERS = {
  agreed: "Vendedor concorda com a devolução.",
  disagreed: "Produto entregue; comprovante de acesso enviado.",
} as const;

const Owner = z.enum([ANA.id, BRUNO.id]);
const One = { owner: Owner, infractionId: z.string().max(64) };

/** Something that is done in the page to a MED: by its payer, by the seller in the service's dashboard or by the bank. */
export const MedAct = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("open"),
    owner: Owner,
    reais: z.number().positive().max(100_000).multipleOf(0.01),
    situation: z.enum(["FRAUDE", "ERRO"]),
    hours: z.number().positive().max(LONGEST_HOURS),
  }),
  z.object({ kind: z.literal("answer"), ...One, answer: z.enum(["agreed", "disagreed"]) }),
  z.object({ kind: z.literal("decide"), ...One, decision: z.enum(["accepted", "rejected"]) }),
  z.object({ kind: z.literal("cancel"), ...One }),
]);
export type MedAct = z.infer<typeof MedAct>;

/** `refused`: it changed meanwhile, so that this cannot be done to it any more. */
export const performMedAct = ({ wallet }: Pick<PageSandbox, "wallet">, act: MedAct): MedOutcome => {
  switch (act.kind) {
    case "open":
      wallet.openMed(act.owner, {
        amountCents: Math.round(act.reais * 100),
        situationType: act.situation,
        hoursToAnswer: act.hours,
        original: ORIGINAL,
      });
      return "done";
    case "answer": {
      const { owner, infractionId, answer } = act;
      return wallet.answerMed(owner, infractionId, { status: answer, text: ANSWERS[answer] });
    }
    case "decide":
      return wallet.decideMed(act.owner, act.infractionId, act.decision);
    case "cancel":
      return wallet.cancelMed(act.owner, act.infractionId);
    default:
      return act satisfies never;
  }
};
