import type { StoredMessage } from "../discord/local-discord.ts";
import type { Demo } from "../start-demo.ts";
import type { Med } from "../wallet/med-book.ts";
import { ANA, CHANNELS, ROLES } from "../world.ts";
import { headline, mustHold, textOf } from "./story.ts";

/** What the alerts' titles say of each step, so that none is taken for another. */
const SAYS = {
  new: "Novo MED",
  "72h": "3 dias",
  "48h": "2 dias",
  "24h": "24 horas",
  "6h": "6 horas",
  "1h": "1 hora ",
  overdue: "prazo passou",
  answered: "respondido",
  won: "ganho",
  lost: "perdido",
} as const;

export type Step = keyof typeof SAYS;

/** Steps that ping a role unless the guild says otherwise. */
const PINGS: ReadonlySet<Step> = new Set(["new", "24h", "6h", "1h", "overdue"]);

/** The channel of alerts, read beside the wallet's books. */
export interface Board {
  /** A payer contests one more payment of Ana's; gives the MED as the books have it. */
  readonly open: (amountCents: number, hoursToAnswer: number) => Med;
  /** Alerts of one MED, oldest first. */
  readonly of: (med: Med) => readonly StoredMessage[];
  /** The newest alert of a MED. @throws Error when there is none */
  readonly newest: (med: Med) => StoredMessage;
  /** Exactly these steps of the MED were told, in this order, each as it should be. @throws Error otherwise */
  readonly tells: (med: Med, ...steps: readonly Step[]) => void;
}

export const openBoard = ({ sandbox: { discord, wallet } }: Demo): Board => {
  const of: Board["of"] = ({ infractionId }) =>
    discord.messages(CHANNELS.avisos.id).filter((each) => textOf(each).includes(infractionId));

  return {
    open: (amountCents, hoursToAnswer) => {
      const original = { type: "api", product: "Plano VIP mensal" } as const;
      const id = wallet.openMed(ANA.id, {
        amountCents,
        situationType: "FRAUDE",
        hoursToAnswer,
        original,
      });
      const med = wallet.meds(ANA.id).find(({ infractionId }) => infractionId === id);
      if (med === undefined) throw new Error("o MED aberto não está nos livros");
      return med;
    },
    of,
    newest: (med) => {
      const alert = of(med).at(-1);
      if (alert === undefined) throw new Error("o MED não foi anunciado");
      return alert;
    },
    tells: (med, ...steps) => {
      const alerts = of(med);
      const titles = alerts.map(headline).join(" / ");
      mustHold(
        alerts.length === steps.length &&
          steps.every((step, index) => headlineSays(alerts[index], step)),
        `em vez de ${steps.join(", ")} o canal diz: ${titles}`,
      );
      for (const [index, step] of steps.entries()) isWhole(alerts[index], step, med);
    },
  };
};

const headlineSays = (alert: StoredMessage | undefined, step: Step): boolean =>
  alert !== undefined && `${headline(alert)} `.includes(SAYS[step]);

/** The amount, the ping of its owner and of the role, nobody else's, and no word about payer or sale. */
const isWhole = (alert: StoredMessage | undefined, step: Step, med: Med): void => {
  if (alert === undefined) return;
  const { content, mentionedRoleIds, mentionedUserIds } = alert;
  const text = textOf(alert);
  const pings = PINGS.has(step);
  mustHold(text.includes(reais(med.amountCents)), `o alerta de ${step} não mostra o valor`);
  const called = pings ? `<@${ANA.id}> <@&${ROLES.equipe.id}> ` : `<@${ANA.id}> `;
  mustHold(content.startsWith(called), `${step} avisa assim: ${content}`);
  mustHold(
    content.includes(reais(med.amountCents)),
    `a frase de ${step} não diz o valor: ${content}`,
  );
  mustHold(mentionedRoleIds.length === (pings ? 1 : 0), `${step} avisa o cargo errado`);
  mustHold(
    mentionedUserIds.length === 1 && mentionedUserIds[0] === ANA.id,
    `${step} não avisa a dona, ou avisa mais alguém`,
  );
  mustHold(!text.includes(med.description), `o alerta de ${step} mostra o relato do pagador`);
};

const reais = (cents: number): string => (cents / 100).toFixed(2).replace(".", ",");
