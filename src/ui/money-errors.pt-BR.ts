import type { MoneyErrorReason } from "../shared/errors.ts";

/** Question to a seller after a restored backup or a long absence of the bot, before money moves again. */
export const restored = {
  questions: {
    newer: {
      title: "Confira estes saques antes de pedir outro",
      next:
        "O bot esteve parado e pode não saber de tudo: o serviço mostra saques que não estão aqui. " +
        "Veja se o que você ia pedir já saiu: até você conferir, não envio nada. Depois, toque no botão, e a conta fica liberada para novos saques.",
    },
    short: {
      title: "Confira no painel antes de sacar",
      next:
        "O bot esteve parado e pode não saber de tudo, e a lista do serviço não vai longe o bastante para eu comparar. " +
        "Veja no painel se os seus últimos saques são os que você espera: até você conferir, não envio nada. Depois, toque no botão, e a conta fica liberada para novos saques.",
    },
    unreadable: {
      title: "Ainda não consegui conferir os seus saques",
      next:
        "O bot esteve parado e pode não saber de tudo, e agora não consegui ler a lista do serviço. Até conseguir, não envio nada. " +
        "Se continuar assim por alguns minutos, veja os seus últimos saques no painel e toque no botão.",
    },
  },
  noticeTitle: "Os saques desta conta esperam você",
  noticeAlone: "Os seus saques esperam você: o bot esteve parado, e falta conferir os últimos.",
  guardsToo:
    "Trava, PIN, limite e chaves guardadas também podem ter voltado ao que eram: veja em `/seguranca`.",
  listed: "No serviço, e não aqui",
  more: (count: number): string => `E mais ${count}, no painel do serviço.`,
  first: "Antes do próximo saque",
  checkedList: "Conferi estes saques",
  checkedPanel: "Conferi no painel",
  done: "Conferido",
  doneText: "A conta está liberada para novos saques. Ficou anotado que foi você quem conferiu.",
};

/** A title for the event, and the next step. */
export interface Explanation {
  readonly title: string;
  readonly next: string;
}

type Busy = Extract<MoneyErrorReason, { kind: "account_busy" }>["why"];

/** Another operation of the wallet account is open, by the event it waits for. */
export const busyAccount: Readonly<Record<Busy, Explanation>> = {
  in_progress: {
    title: "Outro pedido desta conta ainda espera resposta",
    next: "Não envio outro antes dela, para nada acontecer duas vezes. Não enviei nada agora. Peça de novo em um minuto; `/saques` mostra como o outro está.",
  },
  unknown: {
    title: "Ainda não sei se o último saque foi feito",
    next: "Até eu saber, novos saques desta conta ficam bloqueados, para nada sair duas vezes. Não enviei nada agora. Continuo conferindo sozinho, e `/saques` mostra como está.",
  },
  manual: {
    title: "O último saque espera a sua decisão",
    next: "Não consegui descobrir se ele foi feito. Confira no serviço de pagamentos e responda em `/saques`: até lá, novos saques desta conta ficam bloqueados. Não enviei nada agora.",
  },
};

/** The open operation is another person's of the account, so that the asker cannot see or decide it. */
export const busyByAnother: Readonly<Record<Exclude<Busy, "in_progress">, Explanation>> = {
  unknown: {
    title: busyAccount.unknown.title,
    next: "Ele foi pedido por outra pessoa desta conta. Até eu saber, novos saques da conta ficam bloqueados, para nada sair duas vezes. Não enviei nada agora. Continuo conferindo sozinho: peça de novo mais tarde.",
  },
  manual: {
    title: "O último saque espera a decisão de outra pessoa",
    next: "Ele foi pedido por outra pessoa desta conta, e não consegui descobrir se foi feito. Só quem pediu pode responder, em `/saques`, depois de conferir no serviço de pagamentos. Até lá, novos saques da conta ficam bloqueados. Não enviei nada agora.",
  },
};

type NoLess = NonNullable<Extract<MoneyErrorReason, { kind: "daily_cap_exceeded" }>["noLess"]>;

const capTitle = "Isso passa do seu limite diário";

/** Asking for less than the daily limit leaves is no way out. */
export const capWithoutLess: Readonly<Record<NoLess, Explanation>> = {
  below_minimum: {
    title: capTitle,
    next: "O limite é seu e conta as últimas 24 horas, e o que resta dele não chega ao mínimo de um saque. `/saldo` mostra quando libera; aumentar o limite em `/seguranca` leva 24 horas. Não enviei nada.",
  },
  refund: {
    title: capTitle,
    next: "O limite é seu, e conta saques e estornos das últimas 24 horas; um estorno é sempre da venda inteira. Se ela cabe no limite, espere o que já saiu completar 24 horas; se não cabe, aumente o limite em `/seguranca`, o que leva 24 horas. Não enviei nada.",
  },
};

/** A dispute has returned the payment already. */
export const disputeReturned: Explanation = {
  title: "Não dá para estornar: o banco já devolveu o valor desta venda por um MED",
  next: "Estornar agora pagaria duas vezes. `/meds` mostra como ele terminou. Não enviei nada.",
};

/** An earlier withdrawal, of another person of the account, was made after all. */
export const earlierOfAnother: Explanation = {
  title: "Um saque anterior desta conta foi feito",
  next: "Um saque pedido por outra pessoa desta conta parecia não ter sido feito, mas acabei de achá-lo na lista do serviço: o dinheiro dele saiu. Não enviei este. Se ainda quiser outro saque, peça de novo.",
};

/** The open refund waits for the asker's own decision. */
export const refundUndecided: Explanation = {
  title: "O estorno desta venda espera a sua decisão",
  next: "Não consegui descobrir se ele foi feito. Confira no serviço de pagamentos e responda em `/saques`: até lá, não envio outro, para a venda não ser estornada duas vezes. Não enviei nada agora.",
};

/** The open refund is another person's, or ended just now. */
export const refundOfAnother: Explanation = {
  title: "Já há um estorno desta venda",
  next: "Ele foi pedido por outra pessoa desta conta, ou terminou agora mesmo. Veja no painel do serviço de pagamentos se a venda já foi estornada. Não enviei nada agora, para ela não ser estornada duas vezes.",
};

/** The open operation for which a key stays is another person's of the account. */
export const unfinishedOfAnother: Explanation = {
  title: "Um saque ou estorno da conta conectada ainda não terminou",
  next: "Ele foi pedido por outra pessoa desta conta, e sem esta chave eu não conseguiria acompanhá-lo até o fim: não mudei nada. Tente de novo quando ele terminar. Se for um saque, quem pediu não tiver mais chave da conta e a sua funcionar, `/saque` no servidor pergunta a você como ele terminou. Para apagar a chave mesmo assim: `/conta desconectar`.",
};

export const moneyErrors: Readonly<Record<MoneyErrorReason["kind"], Explanation>> = {
  withdrawals_disabled: {
    title: "Os saques estão desligados neste bot",
    next: "Quem cuida do bot deixou o `/saque` e o cancelamento desligados. Não enviei nada, e nenhum dinheiro se moveu. Por enquanto, faça isso direto no serviço de pagamentos.",
  },
  refunds_disabled: {
    title: "Os estornos estão desligados neste bot",
    next: "Quem cuida do bot deixou o `/estornar` desligado. Não enviei nada, e nenhum dinheiro se moveu. Por enquanto, faça isso direto no serviço de pagamentos.",
  },
  refund_busy: {
    title: "Já há um estorno desta venda em andamento",
    next: "Não envio outro antes de saber como ele terminou, para a venda não ser estornada duas vezes. Não enviei nada agora. `/saques` mostra como o seu está.",
  },
  payment_not_found: {
    title: "Não achei essa venda na sua conta",
    next: "Confira o txid: ele precisa ser de uma venda da conta desta chave. Não enviei nada.",
  },
  not_a_payment: {
    title: "Isso é um saque, e não uma venda",
    next: "Só uma venda pode ser estornada. Para cancelar um saque agendado, abra-o em `/saques`. Não enviei nada.",
  },
  payment_refunded: {
    title: "Esta venda já está estornada",
    next: "O estorno dela já foi feito, e um segundo pagaria duas vezes. Não enviei nada.",
  },
  payment_not_approved: {
    title: "Esta venda ainda não pode ser estornada",
    next: "Só estorno uma venda paga e aprovada, e o serviço não mostra esta assim. Não enviei nada.",
  },
  payment_disputed: {
    title: "Não dá para estornar: há um MED aberto sobre esta venda",
    next: "Se o banco devolver o valor por ele, um estorno pagaria duas vezes. Veja em `/meds` se ainda falta a sua resposta. Não enviei nada.",
  },
  disputes_unreadable: {
    title: "Não consegui ler os seus MEDs agora",
    next: "Com um MED aberto sobre esta venda, estornar pagaria duas vezes: por isso não enviei nada. Tente de novo em alguns minutos. Se eu continuar sem conseguir, a lista dos seus MEDs pode ser longa demais para mim: veja no painel do serviço se há um MED desta venda e, se não houver, estorne por lá.",
  },
  refund_after_restore: {
    title: "Ainda não posso estornar esta venda",
    next: "O meu banco de dados foi restaurado de um backup, e nele pode faltar um estorno desta venda. Não enviei nada. Confira a venda no painel do serviço, e peça de novo depois da hora abaixo.",
  },
  money_locked: {
    title: "Os seus saques estão travados",
    next: "Você travou os saques, e nenhum saque ou estorno sai até a trava abrir; ela não impede cancelar um saque agendado. Para pedir que ela abra, use `/seguranca`: leva 24 horas. Não enviei nada.",
  },
  money_not_locked: {
    title: "Nada está travado",
    next: "Não há trava para tirar. Para travar os seus saques: `/travar`.",
  },
  service_down: {
    title: "O serviço de pagamentos não está respondendo",
    next: "Não enviei nada, e nenhum dinheiro se moveu. Tente de novo mais tarde.",
  },
  account_busy: busyAccount.in_progress,
  left_undecided: {
    title: "O último saque espera a sua resposta",
    next: "Quem o pediu não tem mais chave desta conta, e não consegui descobrir se ele foi feito. Veja no extrato do serviço de pagamentos e responda aqui embaixo se o dinheiro saiu: até lá, novos saques da conta ficam bloqueados. Na dúvida, espere: se ele saiu e você responder que não, um novo saque paga duas vezes. Não enviei nada agora.",
  },
  earlier_was_made: {
    title: "O saque anterior foi feito",
    next: "O saque abaixo parecia não ter sido feito, mas acabei de achá-lo na lista do serviço: o dinheiro dele saiu. Não enviei este. Se ainda quiser outro saque, peça de novo.",
  },
  restored_database: restored.questions.newer,
  restore_question_gone: {
    title: "Essa conferência já foi feita, ou mudou",
    next: "`/saldo` mostra se ainda falta conferir algo. Nada foi enviado.",
  },
  amount_unreadable: {
    title: "Não entendi esse valor",
    next: "Escreva como `50`, `50,00` ou `1.234,56`, ou `tudo` para o saldo inteiro. Não enviei nada.",
  },
  amount_too_fine: {
    title: "Esse valor tem casas demais",
    next: "Depois da vírgula vão só os centavos, como em `1.234,56`. Não enviei nada, e nada mudou.",
  },
  amount_too_large: {
    title: "Esse valor é grande demais",
    next: "Confira os números. Não enviei nada, e nada foi criado.",
  },
  amount_below_minimum: {
    title: "Esse valor está abaixo do mínimo",
    next: "Peça o mínimo ou mais. Ele conta antes da taxa, que sai de dentro do valor. Não enviei nada.",
  },
  balance_below_minimum: {
    title: "O seu saldo ainda não chega ao mínimo de um saque",
    next: "O mínimo conta antes da taxa. Quando o saldo chegar lá, peça de novo; `/saldo` mostra o que está retido por MEDs. Não enviei nada.",
  },
  amount_above_balance: {
    title: "O seu saldo não cobre esse valor",
    next: "Peça um valor menor, ou `tudo` para o saldo inteiro; `/saldo` mostra o que está retido por MEDs. Não enviei nada.",
  },
  pix_key_unusable: {
    title: "Isso não serve como chave PIX",
    next: "Escreva um CPF, um CNPJ, um e-mail, um celular com DDD ou uma chave aleatória. Não enviei nada.",
  },
  pix_key_refused: {
    title: "O serviço diz que essa chave PIX não vale",
    next: "Confira a chave PIX com quem vai receber e use o comando de novo. Não enviei nada.",
  },
  pix_key_gone: {
    title: "Não tenho mais essa chave PIX guardada",
    next: "Use o comando de novo e digite a chave PIX inteira.",
  },
  recipient_is_self: {
    title: "O recebedor não pode ser você",
    next: "Em `recebedor`, escolha a pessoa com quem você divide vendas. Para o seu próprio saldo, use `/saque`. Não enviei nada.",
  },
  recipient_is_bot: {
    title: "Bots não recebem split",
    next: "Em `recebedor`, escolha uma pessoa. Não enviei nada.",
  },
  recipient_invalid: {
    title: "Não reconheci o recebedor",
    next: "Escolha a pessoa na lista que o Discord mostra em `recebedor`. Não enviei nada.",
  },
  cap_unreadable: {
    title: "Não entendi esse limite",
    next: "Escreva um valor como `500` ou `1.234,56`, ou deixe vazio para ficar sem limite. Nada mudou.",
  },
  cap_below_minimum: {
    title: "Esse limite não deixaria sair nenhum saque",
    next: "Ele está abaixo do mínimo de um saque. Escreva o mínimo ou mais; para parar os saques, use `/travar`. Nada mudou.",
  },
  daily_cap_exceeded: {
    title: capTitle,
    next: "O limite é seu e conta as últimas 24 horas. Peça até o que resta, ou mude o limite em `/seguranca`: aumentar leva 24 horas. Não enviei nada.",
  },
  split_under_cap: {
    title: "Não dá para conferir o split com o seu limite diário",
    next: "O valor de um saque do split só aparece depois de feito. Com um limite diário ligado, não envio às cegas: para fazer este saque, tire o limite em `/seguranca`, o que leva 24 horas.",
  },
  new_key_waits: {
    title: "Essa chave PIX ainda está em espera",
    next: "Você pediu que uma chave PIX nova espere 24 horas antes do primeiro saque. Peça de novo depois da hora abaixo. Se não foi você quem pediu este saque, trave os saques com `/travar`. Não enviei nada.",
  },
  confirmation_gone: {
    title: "Esta confirmação não vale mais",
    next: "Ela venceu, já foi usada ou foi descartada. Este toque não enviou nada. Se você já tinha confirmado, veja em `/saques` como ficou antes de pedir de novo.",
  },
  clicked_too_soon: {
    title: "Esse toque veio cedo demais",
    next: "A pergunta tinha acabado de aparecer, por isso não enviei nada. Ela continua valendo: confira e toque de novo.",
  },
  pin_required: {
    title: "Falta o seu PIN",
    next: "Use o comando de novo e toque no botão que pede o PIN. Não enviei nada, e nada mudou.",
  },
  pin_malformed: {
    title: "Isso não serve como PIN",
    next: "O PIN tem de 4 a 8 números, como `402718`. Nada mudou.",
  },
  pin_too_easy: {
    title: "Esse PIN é fácil demais",
    next: "Números iguais ou em sequência são os primeiros que alguém tenta. Escolha outro. Nada mudou.",
  },
  pin_wrong: {
    title: "O PIN não confere",
    next: "Não enviei nada, e nada mudou. Tente de novo pelo mesmo botão. Esqueceu? Em `/seguranca` você tira o PIN, o que leva 24 horas.",
  },
  pin_locked: {
    title: "O PIN está bloqueado por um tempo",
    next: "Foram erros demais seguidos. Não enviei nada, e nada mudou. Espere até a hora abaixo: cada bloqueio seguido dura mais. Se não foi você quem tentou, trave os saques com `/travar`.",
  },
  pin_busy: {
    title: "Já estou conferindo outros PINs",
    next: "Este não chegou a ser conferido, e não conta como erro. Este toque não enviou nada. Tente de novo em alguns segundos.",
  },
  withdrawal_not_found: {
    title: "Não achei esse saque",
    next: "Escolha um da lista em `/saques`.",
  },
  not_cancellable: {
    title: "Esse saque não pode mais ser cancelado",
    next: "Só dá para cancelar enquanto ele está agendado. Não enviei nada, e `/saques` mostra como ele está.",
  },
  not_cancellable_here: {
    title: "Não dá para cancelar esse saque por aqui",
    next: "O serviço de pagamentos não me mostra este saque para cancelar. Não enviei nada. Enquanto ele estiver agendado, você pode cancelar no painel do serviço.",
  },
  cancel_busy: {
    title: "Já há um cancelamento deste saque em andamento",
    next: "Não envio outro antes de saber como ele terminou. Não enviei nada agora, e `/saques` mostra como o saque está. Enquanto ele estiver agendado, você pode cancelar no painel do serviço.",
  },
  wrong_op_code: {
    title: "O código não confere",
    next: "Digite o código como ele aparece na mensagem, começando por `W-`. Nada mudou.",
  },
  outcome_unread: {
    title: "Não consegui conferir no serviço agora",
    next: "Antes de anotar que não foi feito, confiro mais uma vez no serviço, e agora ele não respondeu. Nada mudou: este pedido ainda espera a sua resposta. Responda de novo em alguns minutos; se em um dia ele ainda não responder, anoto a sua resposta mesmo assim. Se você viu no painel que ele foi feito, já pode responder isso.",
  },
  still_under_way: {
    title: "Este saque ainda está a caminho",
    next: "Acabei de ler: para o serviço de pagamentos, ele ainda não terminou, e o dinheiro pode chegar. Por isso não anotei a sua resposta. Nada mudou: continuo conferindo e aviso como terminar, e outros saques seguem liberados. Se o dinheiro já chegou, pode responder isso; se demorar, fale com o suporte do serviço.",
  },
  money_uncertain: {
    title: "Algo deu errado aqui no meio do pedido",
    next: "Não sei se ele chegou a ser enviado. **Não repita:** veja antes em `/saques`. Se ele aparecer lá, confiro sozinho e aviso como terminou; se não aparecer, nada foi enviado.",
  },
};
