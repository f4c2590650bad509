import type { PixKey } from "./pix-key.ts";
import type { RejectReason } from "./withdrawal.ts";
import type { LateRefusal, WithdrawState } from "./withdraw-op.ts";

type KeyType = PixKey["type"];

/** Texts before money moves. */
export const withdraw = {
  keyTypes: {
    cpf: "CPF",
    cnpj: "CNPJ",
    email: "e-mail",
    phone: "celular",
    random: "chave aleatória",
    unknown: "forma que não conheço",
  } satisfies Readonly<Record<KeyType, string>>,
  suspect: {
    cpf: "A chave parece um CPF, mas os dígitos do fim não conferem.",
    cnpj: "A chave parece um CNPJ, mas os dígitos do fim não conferem.",
    email: "A chave parece um e-mail, mas algo nele não está certo.",
    phone: "A chave parece um celular, mas o número não está certo.",
    random: "A chave parece uma chave aleatória, mas algo nela não está certo.",
    unknown: "Não conheço a forma desta chave. Quem decide se ela vale é o serviço.",
  } satisfies Readonly<Record<KeyType, string>>,
  askedTwice: {
    new_key: "Esta chave PIX é nova para mim: não tenho registro de saque para ela.",
    unreadable_list:
      "Não consegui ler a lista de saques do serviço. Se a resposta dele se perder, não vou poder conferir sozinho se o saque saiu.",
    split: "O valor deste saque só aparece depois de feito.",
  } satisfies Readonly<Record<"new_key" | "unreadable_list" | "split", string>>,

  titles: {
    own: "Confirme o saque",
    split: "Confirme o saque do split",
    cancel: "Confirme o cancelamento",
  },
  titlesAgain: {
    own: "Confirme de novo o saque",
    split: "Confirme de novo o saque do split",
  },
  /** Follows the title. */
  tooSoon: ": o último foi há menos de 24 horas",
  step: (title: string, step: 1 | 2): string => `${title} (${step} de 2)`,

  goes: (amount: string, fee: string, net: string, when: string): string =>
    `Saem **${amount}** · taxa de ${fee} · chegam **${net}** ${when}.`,
  allGoes: (amount: string, fee: string, net: string, when: string): string =>
    `Saem **${amount}**, todo o seu saldo · taxa de ${fee} · chegam **${net}** ${when}.`,
  splitGoes: (recipient: string, fee: string, when: string): string =>
    `Sai **todo o saldo acumulado deste recebedor** (${recipient}); o valor só aparece depois. Taxa de ${fee} · ${when}.`,
  cancelText:
    "Vou pedir ao serviço que cancele este saque agendado. Se ele cancelar, o valor volta para o saldo.",
  onlyClick: "Nada foi enviado ainda: confira antes.",
  firstClick: "Confira antes. Esta primeira confirmação não envia nada.",
  secondClick: "**Última confirmação:** o próximo toque envia.",
  secondClickWithPin: "**Última confirmação:** o próximo toque pede o PIN, e ele envia.",
  validUntil: (hour: string, relative: string): string => `Vale até ${hour} (${relative}).`,

  amount: "Valor do saque",
  recipient: "Recebedor",
  lastBalance: "Último saldo do split que vi",
  lastBalanceAt: (amount: string, at: string): string =>
    `${amount}, lido em ${at}. Pode ter mudado.`,
  noLastBalance: "Não sei: o serviço não deixa consultar o saldo do split.",
  key: "Chave PIX",
  keySaved: "guardada por você",
  holderUnknown: "O serviço não disse de quem é. Confira a chave com quem vai receber.",
  speeds: { normal: "Normal", turbo: "Turbo" },
  otherSpeed: (speed: string, costs: string, when: string): string => `${speed}: ${costs} ${when}`,
  arrives: (net: string): string => `chegam ${net}`,
  feeOf: (fee: string): string => `taxa de ${fee}`,
  when: { normal: "em até 24 horas", turbo: "na hora" },
  target: "Saque a cancelar",
  nextFrom: (at: string): string => `Depois deste, pelo que sei, o próximo só a partir de ${at}.`,

  whyTwice: "Por que peço duas vezes",
  newKeyEndsSo: (end: string): string => `Nova para mim. Confira o fim dela: …**${end}**`,
  careful: "Atenção",
  sentMeanwhile:
    "**Soube de outro saque desta conta depois que mostrei este.** Por isso não enviei e peço de novo: se você queria um só, desista.",
  oneInProcessing: (amount: string | undefined): string =>
    amount === undefined
      ? "Já há um saque em processamento; o serviço pode recusar este."
      : `Já há um saque em processamento, de ${amount}; o serviço pode recusar este.`,
  oneScheduled: (amount: string | undefined): string =>
    amount === undefined
      ? "Já há um saque agendado. Não sei se o serviço aceita outro antes de ele terminar: pode recusar este."
      : `Já há um saque agendado, de ${amount}. Não sei se o serviço aceita outro antes de ele terminar: pode recusar este.`,
  oneUnread:
    "Há um saque que o serviço aceitou e que não consigo ler até o fim. Se ele não terminou, o serviço pode recusar este.",
  /** Withdrawals of any person and origin, which `/saques` may leave out; two or more. */
  othersUnderWay: (count: number): string =>
    `Há mais ${count} saques desta conta que podem não ter terminado, contando os de outra pessoa e os feitos fora do bot.`,
  until: (at: string): string => `Previsto para ${at}.`,
  lastWasRecent: (last: string, at: string): string =>
    `O último foi em ${last}; um novo é aceito, pelo que sei, a partir de ${at}. Antes disso o serviço pode recusar.`,
  nextFromIfCounted: (last: string, at: string): string =>
    `O último saque, de ${last}, não foi pago; o serviço não diz se ele conta no limite de um a cada 24 horas. Se contar, um novo é aceito a partir de ${at}.`,
  night:
    "À noite (das 20:00 às 06:00; o serviço não diz o fuso) os limites são menores: ele pode recusar um valor que passaria de dia.",

  goOn: "Continuar",
  send: (net: string | undefined): string =>
    net === undefined ? "Enviar o saldo do split" : `Enviar ${net}`,
  withPin: (label: string): string => `${label} com PIN`,
  giveUp: "Desistir",
  confirmCancel: "Confirmar o cancelamento",
  keepWithdrawal: "Manter o saque",

  questionTitle: "Essa chave PIX é um CPF ou um celular?",
  questionText:
    "Os onze números que você digitou servem para os dois, e não vou adivinhar para onde vai o dinheiro. Nada foi enviado.",
  isCpf: "É um CPF",
  isPhone: "É um celular",

  form: {
    title: "Sacar",
    amount: "Valor (a taxa sai de dentro dele)",
    amountHint: "50, 1.234,56 ou tudo",
    savedKey: "Chave PIX guardada",
    otherKey: "Ou outra chave PIX",
    keyHint: "CPF, CNPJ, e-mail, celular ou aleatória",
    speed: "Modalidade",
    speeds: {
      normal: "normal: em até 24 horas, taxa de R$\u00a00,50",
      turbo: "turbo: na hora, taxa de R$\u00a03,50",
    },
  },
  pinTitle: "Confirmar com o seu PIN",
  pinLabel: "PIN",
  pinPlaceholder: "Só números",

  abandoned: "Saque descartado",
  abandonedText: "Você desistiu: não enviei nada, e nenhum dinheiro se moveu.",
  cancelAbandoned: "Cancelamento descartado",
  cancelAbandonedText: "Não pedi nada ao serviço: o saque continua como estava.",
  expired: "Expirou",
  expiredText:
    "O tempo para confirmar acabou, e nada foi enviado. Para eu preparar o mesmo pedido de novo, toque em **Refazer**.",
  cancelExpiredText:
    "O tempo para confirmar acabou: não pedi nada ao serviço, e o saque continua como estava. Para pedir de novo, toque em **Refazer**.",
  redo: "Refazer",
  withdrawAll: (available: string): string => `Sacar tudo: ${available}`,

  keyKept: "Chave PIX guardada",
  keyKeptText:
    "Da próxima vez ela aparece na lista enquanto você preenche `chave`. Ela fica cifrada, e só você a vê. Para esquecer: `/seguranca`.",

  check: "Verificar agora",
  otherKey: "Tentar com outra chave",
  saveKey: "Guardar esta chave",
  decisions: {
    own: { happened: "O dinheiro saiu", didNotHappen: "O dinheiro não saiu" },
    cancel: { happened: "Foi cancelado", didNotHappen: "Não foi cancelado" },
  },
};

/** A title, then the state of the money and the next step. */
export interface Outcome {
  readonly title: string;
  readonly text: string;
  /** Further checks and messages of the bot, for which it needs a key. */
  readonly promise?: string;
}

const follows = "Acompanho até o fim e aviso.";
const onItsWay = `O pedido está a caminho do serviço. Não repita. ${follows}`;

const inDoubt =
  "Na dúvida, espere: se ele saiu e você responder que não, um novo saque paga duas vezes.";

/** Of a withdrawal. */
const own: Readonly<Record<WithdrawState, Outcome>> = {
  draft: { title: "Saque sem confirmação", text: "Nada foi enviado, e nenhum dinheiro se moveu." },
  confirmed: { title: "Enviando o saque", text: onItsWay },
  sending: { title: "Enviando o saque", text: onItsWay },
  accepted: {
    title: "Saque aceito",
    text: "Foi aceito: o dinheiro pode já ter saído, ou ainda sair. Não repita.",
    promise: follows,
  },
  scheduled: {
    title: "Saque agendado",
    text: "O serviço aceitou o pedido e o agendou. O horário é uma previsão do serviço. Não repita.",
    promise: follows,
  },
  processing: {
    title: "Saque em processamento",
    text: "O serviço está enviando o PIX. Ele pode ficar em análise por até 30 minutos de dia ou 60 à noite: essa demora não é erro. Não repita.",
    promise: follows,
  },
  unknown: {
    title: "Ainda não sei se o saque foi feito",
    text: "Não recebi a confirmação do serviço. O saque **pode ter sido feito**. **Não repita.** Enquanto eu não souber, novos saques desta conta ficam bloqueados.",
    promise: "Vou conferir sozinho e aviso em até 45 minutos o que achei.",
  },
  manual: {
    title: "Preciso que você confira este saque",
    text: `Não tenho certeza se ele foi feito: um pedido atrasado ainda pode sair. **Não repita.** Veja no serviço de pagamentos e com quem recebe, e responda aqui embaixo. Até isso se resolver, novos saques desta conta ficam bloqueados. ${inDoubt}`,
    promise: "Sigo conferindo até 30 dias depois do pedido e, se achar, aviso.",
  },
  completed: { title: "Saque concluído", text: "O serviço concluiu o saque para a chave PIX." },
  failed: {
    title: "O saque falhou",
    text: "O dinheiro não chegou à chave PIX, e o serviço **devolve o valor ao saldo**.",
  },
  cancelled: {
    title: "Saque cancelado",
    text: "Ele não vai mais sair, e o serviço **devolve o valor ao saldo**.",
  },
  abandoned: { title: "Saque descartado", text: "Nada foi enviado, e nenhum dinheiro se moveu." },
  refused_local: {
    title: "O saque não foi enviado",
    text: "Parei antes de enviar: nenhum dinheiro se moveu. Peça de novo quando quiser.",
  },
  rejected: { title: "O serviço recusou o saque", text: "Nenhum dinheiro se moveu." },
  not_sent: {
    title: "O saque não foi enviado",
    text: "O pedido não chegou a sair daqui: nenhum dinheiro se moveu. Peça de novo em alguns minutos.",
  },
  not_executed: {
    title: "O saque não foi feito",
    text: "Procurei na lista do serviço mais de uma vez, e este saque não está nela: nenhum dinheiro saiu. Se você ainda não pediu outro, já pode pedir.",
  },
  resolved_manual: { title: "Saque resolvido", text: "Anotei a resposta." },
};

/** Of a request to cancel a scheduled withdrawal. */
const cancel: Readonly<Record<WithdrawState, Outcome>> = {
  ...own,
  draft: {
    title: "Cancelamento sem confirmação",
    text: "Nada foi enviado: o saque continua como estava.",
  },
  confirmed: { title: "Enviando o cancelamento", text: onItsWay },
  sending: { title: "Enviando o cancelamento", text: onItsWay },
  accepted: {
    title: "Cancelamento aceito",
    text: "O serviço aceitou o pedido, e ainda não li se o saque foi cancelado. Não repita.",
    promise: "Vou ler o saque e aviso.",
  },
  unknown: {
    title: "Ainda não sei se o saque foi cancelado",
    text: "Não recebi a confirmação do serviço. O saque **pode ter sido cancelado**. Não repita.",
    promise: "Vou conferir sozinho e aviso.",
  },
  manual: {
    title: "Preciso que você confira este cancelamento",
    text: "Não consegui descobrir se o saque foi cancelado. Veja no serviço de pagamentos e responda aqui embaixo.",
  },
  completed: own.cancelled,
  abandoned: {
    title: "Cancelamento descartado",
    text: "Nada foi enviado: este pedido não mudou o saque.",
  },
  failed: {
    title: "O saque não foi cancelado",
    text: "O cancelamento não chegou a tempo: o saque seguiu até o fim. Veja em `/saques` como ele terminou.",
  },
  refused_local: {
    title: "O cancelamento não foi enviado",
    text: "Parei antes de enviar: este pedido não mudou o saque. Peça de novo quando quiser.",
  },
  rejected: { title: "O serviço não cancelou o saque", text: "Este pedido não mudou o saque." },
  not_sent: {
    title: "O cancelamento não foi enviado",
    text: "O pedido não chegou a sair daqui: ele não mudou o saque. Peça de novo em alguns minutos.",
  },
  not_executed: {
    title: "O saque não foi cancelado",
    text: "O cancelamento não foi feito, e o saque seguiu. Veja em `/saques` como ele está.",
  },
  resolved_manual: { title: "Cancelamento resolvido", text: "Anotei a resposta." },
};

/** Texts after a confirmation. */
export const withdrawOutcomes = {
  own,
  cancel,
  /** Why the last check before the request held an order back. */
  refused: {
    earlier_was_made:
      "Um saque anterior desta conta parecia não ter sido feito, mas o achei na lista do serviço: **o dinheiro saiu**. Por isso não enviei este. Se você queria um só, não peça de novo.",
    sent_meanwhile:
      "**Soube de outro saque desta conta depois que mostrei este.** Por isso não enviei este. Se você queria um só, não peça de novo.",
    money_locked:
      "Os saques estavam travados por você: não enviei este pedido, e nenhum dinheiro se moveu. Até a trava abrir, nenhum saque ou estorno sai; para pedir que ela abra, use `/seguranca`: leva 24 horas.",
    daily_cap:
      "O seu limite diário não deixou este pedido sair: não o enviei, e nenhum dinheiro se moveu. Ele conta as últimas 24 horas; para aumentar ou tirar o limite, use `/seguranca`: leva 24 horas.",
    not_cancellable:
      "Este saque não está mais agendado: não enviei o cancelamento. Veja em `/saques` como ele está.",
  } satisfies Readonly<Record<LateRefusal, string>>,
  /** Next step after a refusal, by its known reason. */
  rejected: {
    invalid: "Ele não aceitou o pedido como está. Confira o valor e a chave PIX e peça de novo.",
    unauthorized: "Ele não aceitou a sua chave da API. Conecte a atual com `/conta conectar`.",
    forbidden:
      "Ele não permite isso agora para esta conta. Se for um limite, espere e peça de novo. Se for o saque automático, desligue-o no serviço. Senão, fale com o suporte dele.",
    not_found: "Ele não achou o que foi pedido. Se continuar, fale com o suporte do serviço.",
    rate_limited: "Foram pedidos demais em pouco tempo. Espere e peça de novo.",
    insufficient_split_balance:
      "O saldo acumulado deste recebedor não chega ao mínimo. Espere entrarem mais vendas do split.",
    refused: "Limites de valor, de horário e de um saque a cada 24 horas podem ser o motivo.",
  } satisfies Readonly<Record<RejectReason, string>>,
  conflict:
    "O serviço diz que já há um saque em andamento. Estou conferindo se foi este: ele **pode ter sido feito**. **Não repita.** Aviso assim que souber; enquanto isso, novos saques desta conta ficam bloqueados.",
  /** In the service's own words. */
  refusedSaying: (words: string): string => `O serviço recusou: “${words}”`,
  /** After the service's own words. */
  refusedForThat:
    "O motivo é o que o serviço disse. Se não fizer sentido para você, fale com o suporte dele.",
  rejectedCancel: "Veja em `/saques` como o saque está.",
  /** Our own rate limit delayed the request. */
  paced: {
    own: "O pedido não saiu daqui: nenhum dinheiro se moveu. O serviço aceita até 3 pedidos de saque por minuto, e eu paro antes de passar disso.",
    cancel:
      "O pedido não saiu daqui: ele não mudou o saque. O serviço aceita até 3 pedidos de saque por minuto, e eu paro antes de passar disso.",
  },
  waitFor: (wait: string): string =>
    `Foram pedidos demais em pouco tempo. Espere ${wait} e peça de novo.`,
  completedWith: (net: string): string =>
    `O serviço concluiu o saque: **${net}** foram para a chave PIX.`,
  slow: "Já faz mais de uma hora, e isso não é comum. **Não repita.** Continuo conferindo; se quiser, fale com o suporte do serviço e passe o txid abaixo.",
  overdue:
    "O horário previsto já passou. **Não repita.** Continuo conferindo e aviso; se quiser, fale com o suporte do serviço e passe o txid abaixo.",
  found: {
    title: "Achei o saque: ele foi feito",
    text: "Era o que faltava confirmar: o serviço tem este saque. Não peça outro. Aviso quando ele terminar.",
  },
  foundDespiteRefusal:
    "O serviço tinha recusado este saque, mas ele está na lista dele: **foi feito**. Não peça outro. Aviso quando ele terminar.",
  failedNext:
    "Confira a chave PIX com quem recebe e peça de novo quando quiser. O serviço não diz se um saque que falhou conta no limite de um a cada 24 horas.",
  feeReturn: "O serviço não diz se a taxa também volta: confira em `/saldo`.",
  splitReturn: "O serviço não diz se é o seu saldo ou o do split.",
  balanceFell:
    "O saldo caiu pelo menos o valor deste saque depois do pedido: ele **provavelmente foi feito**, embora ainda não apareça na lista do serviço.",
  manualWithTxid:
    "O serviço aceitou este saque, mas não consigo ler como ele terminou. **Não repita:** ele pode ter chegado. Veja no serviço de pagamentos e responda aqui embaixo, para eu fechar este registro. Outros saques desta conta seguem liberados.",
  normalTakes: "Um saque normal sai em até 24 horas.",
  resolved: {
    happened: "A resposta: o dinheiro saiu. Este saque não bloqueia novos saques desta conta.",
    did_not_happen:
      "A resposta: o dinheiro não saiu. Este saque não bloqueia novos saques desta conta.",
  },
  resolvedByAnother:
    "Respondeu outra pessoa desta conta, no seu lugar: você não tinha mais uma chave dela.",
  notBlocking: "Este saque não bloqueia novos saques desta conta.",
  resolvedCancel: {
    happened: "A resposta: o saque foi cancelado.",
    did_not_happen: "A resposta: o saque não foi cancelado.",
  },

  replaced: {
    own: "Substituída: a mensagem mais nova sobre este saque está abaixo.",
    cancel: "Substituída: a mensagem mais nova sobre este cancelamento está abaixo.",
  },
  alone: (title: string, amount: string | undefined): string =>
    amount === undefined ? `${title}.` : `${title} (${amount}).`,
  aloneInDoubt: "Não repita o pedido.",
  aloneOtherAmount: "Não é o valor que você confirmou.",
  otherAmount: (confirmed: string, taken: string): string =>
    `**O valor não é o que você confirmou.** Você confirmou ${confirmed}, e o serviço diz que o saque é de ${taken}. O painel dele mostra mais: confira antes de pedir outro.`,

  arrives: "Vai chegar",
  serviceSaid: "O serviço respondeu",
  reason: "Motivo dado pelo serviço",
  noReason: "O serviço não deu o motivo.",
  splitBalance: "Saldo do split",
  beforeAndAfter: (before: string, after: string): string => `${before} antes, ${after} depois`,
  nextFrom: (at: string): string => `Pelo que sei, o próximo só a partir de ${at}.`,
  sentAt: "Enviado em",
  checkedNow: "Conferi agora",
  stillUnclear: "ainda não dá para saber.",
  cannotCheck: "Sem uma chave sua desta conta não consigo conferir. Conecte com `/conta conectar`.",
  unreadableNow: (why: string): string =>
    `Não consegui ler agora. ${why}. Mostro o que eu já sabia.`,
};
