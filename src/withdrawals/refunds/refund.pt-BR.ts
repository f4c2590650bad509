import type { Outcome } from "../withdraw.pt-BR.ts";
import type { RejectReason } from "../withdrawal.ts";
import type { RefundRefusal, WithdrawState } from "../withdraw-op.ts";

/** Texts before a payment is given back. */
export const refund = {
  title: (amount: string): string => `Estornar ${amount}?`,
  text: "O valor volta a quem pagou. Quanto sai do seu saldo, com ou sem a taxa da venda, o serviço não diz. Nada foi enviado ainda: confira antes.",
  payer: "Volta para",
  payerUnknown: "o serviço não disse quem pagou",
  product: "Venda",
  amount: "Valor do estorno",
  fee: "Taxa da venda",
  paidAt: "Vendida em",
  txid: "Txid da venda",
  unseen: (count: number): string =>
    count === 1
      ? "O serviço conta 1 MED que a lista dele não mostra. Se ele for desta venda, estornar pagaria duas vezes: confira no painel do serviço."
      : `O serviço conta ${count} MEDs que a lista dele não mostra. Se um for desta venda, estornar pagaria duas vezes: confira no painel do serviço.`,
  notCompared:
    "Na lista de MEDs do serviço não há um aberto sobre esta venda, mas não consegui conferir se ela está completa.",
  confirm: (amount: string): string => `Estornar ${amount}`,
  giveUp: "Desistir",
  abandoned: "Estorno descartado",
};

const sending: Outcome = {
  title: "Enviando o estorno",
  text: "O pedido está a caminho do serviço. Não repita: acompanho até o fim e aviso.",
};

const accepted: Outcome = {
  title: "Estorno aceito",
  text: "O serviço aceitou o pedido. **Não repita:** o estorno pode já ter sido feito.",
  promise: "Leio a venda até ela aparecer como estornada, e aviso.",
};

const notMade: Outcome = {
  title: "O estorno não foi feito",
  text: "Li a venda mais de uma vez, dias depois do pedido, e ela segue sem estorno: nenhum dinheiro voltou ao pagador. Se você ainda não pediu outro, já pode pedir.",
};

const unsent: Outcome = {
  title: "Estorno sem confirmação",
  text: "Nada foi enviado, e nenhum dinheiro se moveu.",
};

const inDoubt =
  "Na dúvida, espere: quem estorna de novo uma venda estornada acaba pagando duas vezes.";

const states: Readonly<Record<WithdrawState, Outcome>> = {
  draft: unsent,
  confirmed: sending,
  sending,
  accepted,
  scheduled: accepted,
  processing: accepted,
  unknown: {
    title: "Ainda não sei se o estorno foi feito",
    text: "Não recebi a confirmação do serviço. O estorno **pode ter sido feito**. **Não repita**, nem pelo painel. Até eu saber, não estorno esta venda de novo. Isso não bloqueia saques nem outros estornos.",
    promise: "Vou ler a venda e aviso em até 45 minutos o que achei.",
  },
  manual: {
    title: "Preciso que você confira este estorno",
    text: `Não tenho certeza se ele foi feito: um pedido atrasado ainda pode valer. **Não repita.** Veja no serviço de pagamentos e responda aqui embaixo. ${inDoubt}`,
    promise: "Sigo lendo a venda até 30 dias depois do pedido e, se ela mudar, aviso.",
  },
  completed: {
    title: "Estorno feito",
    text: "O serviço mostra esta venda como **estornada**: o valor volta ao pagador. Quanto saiu do seu saldo, com ou sem a taxa, ele não diz: confira em `/saldo`.",
  },
  failed: notMade,
  cancelled: notMade,
  abandoned: unsent,
  refused_local: {
    title: "O estorno não foi enviado",
    text: "Parei antes de enviar: nenhum dinheiro se moveu. Peça de novo quando quiser.",
  },
  rejected: { title: "O serviço recusou o estorno", text: "Nenhum dinheiro se moveu." },
  not_sent: {
    title: "O estorno não foi enviado",
    text: "O pedido não chegou a sair daqui: nenhum dinheiro se moveu. Peça de novo em alguns minutos.",
  },
  not_executed: notMade,
  resolved_manual: { title: "Estorno resolvido", text: "Anotei a resposta." },
};

/** Why a confirmed refund was not sent. */
const refused: Readonly<Record<RefundRefusal, string>> = {
  dispute_open:
    "Não estornei: esta venda tinha um MED aberto, e estornar pagaria duas vezes. Nada foi enviado.",
  dispute_returned:
    "Não dá para estornar: o banco já devolveu o valor desta venda por um MED. Estornar pagaria duas vezes. Nada foi enviado.",
  disputes_unreadable:
    "Não consegui ler os seus MEDs, e com um MED aberto estornar pagaria duas vezes. Nada foi enviado. Peça de novo em alguns minutos. Se eu continuar sem conseguir, a lista dos seus MEDs pode ser longa demais para mim: veja no painel do serviço se há um MED desta venda e, se não houver, estorne por lá.",
  payment_refunded: "Esta venda já está estornada. Nada foi enviado.",
  payment_unreadable:
    "Não consegui ler a venda antes de enviar. Nada foi enviado. Peça de novo em alguns minutos.",
  key_refused:
    "O serviço não aceitou a sua chave da API. Nada foi enviado. Conecte a atual com `/conta conectar`.",
  payment_changed:
    "A venda mudou no serviço depois da minha pergunta. Nada foi enviado. Peça de novo para ver como ela está.",
  refund_after_restore:
    "O meu banco de dados foi restaurado de um backup, e nele pode faltar um estorno desta venda. Nada foi enviado. Confira a venda no painel do serviço; três dias depois da restauração, você já pode pedir de novo.",
};

/** Beside the reasons that a withdrawal has as well. */
const rejected = {
  invalid: "Ele não aceitou o pedido como está. Veja a venda no painel dele.",
  forbidden: "Ele não permite isso agora para esta conta. Se continuar, fale com o suporte dele.",
  not_found: "Ele não achou a venda. Se continuar, fale com o suporte dele.",
  insufficient_split_balance: "O saldo não cobre o estorno.",
  refused:
    "O motivo pode ser saldo baixo ou o prazo para estornar, que o serviço não diz. Veja a venda no painel dele.",
} satisfies Readonly<Partial<Record<RejectReason, string>>>;

/** Texts after the confirmation of a refund. */
export const refundOutcomes = {
  states,
  refused,
  rejected,
  conflict:
    "O serviço diz que este pedido já existe, ou que a venda já foi estornada. O estorno **pode ter sido feito**. **Não repita:** estou lendo a venda e aviso assim que souber.",
  paced:
    "O pedido não saiu daqui: nenhum dinheiro se moveu. Estornos e saques juntos não passam de 3 pedidos por minuto, e eu paro antes de passar disso.",
  replaced: "Substituída: a mensagem mais nova sobre este estorno está abaixo.",
  resolved: {
    happened: "A resposta: o estorno foi feito.",
    did_not_happen:
      "A resposta: o estorno não foi feito. Se você ainda não pediu outro, já pode pedir.",
  },
  decisions: {
    happened: "A venda foi estornada",
    didNotHappen: "Não foi estornada",
  },
  expiredText:
    "O tempo para confirmar acabou, e nada foi enviado. Para pedir este estorno de novo, toque em **Refazer**.",
  name: (amount: string): string => `estorno de ${amount}`,
};
