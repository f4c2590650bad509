import type { PixKey } from "../../domain/pix-key.ts";

type KeyType = PixKey["type"];
type Asked = "new_key" | "unreadable_list" | "split" | "suspect_key";

const keyTypes: Readonly<Record<KeyType, string>> = {
  cpf: "CPF",
  cnpj: "CNPJ",
  email: "e-mail",
  phone: "celular",
  random: "chave aleatória",
  unknown: "forma que não conheço",
};

const suspect: Readonly<Record<KeyType, string>> = {
  cpf: "A chave parece um CPF, mas os dígitos do fim não conferem.",
  cnpj: "A chave parece um CNPJ, mas os dígitos do fim não conferem.",
  email: "A chave parece um e-mail, mas algo nele não está certo.",
  phone: "A chave parece um celular, mas o número não está certo.",
  random: "A chave parece uma chave aleatória, mas algo nela não está certo.",
  unknown: "Não conheço a forma desta chave. Quem decide se ela vale é o serviço.",
};

const askedTwice: Readonly<Record<Exclude<Asked, "suspect_key">, string>> = {
  new_key: "Você nunca sacou para esta chave por aqui.",
  unreadable_list:
    "Não consegui ler a lista de saques do serviço. Se a resposta dele se perder, não vou poder conferir sozinho se o saque saiu.",
  split: "O valor deste saque só aparece depois de feito.",
};

/** What a person reads before money moves. */
export const withdraw = {
  keyTypes,
  suspect,
  askedTwice,

  titles: {
    own: "Confirme o saque",
    split: "Confirme o saque do split",
    cancel: "Confirme o cancelamento",
  },
  titlesAgain: {
    own: "Confirme de novo o saque",
    split: "Confirme de novo o saque do split",
    cancel: "Confirme de novo o cancelamento",
  },
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
  secondClick: "**Última confirmação:** o próximo clique envia.",
  validUntil: (hour: string, relative: string): string => `Vale até ${hour} (${relative}).`,

  amount: "Valor do saque",
  recipient: "Recebedor",
  lastBalance: "Último saldo do split que vi",
  lastBalanceAt: (amount: string, at: string): string =>
    `${amount}, lido em ${at}. Pode ter mudado.`,
  noLastBalance: "Não sei: o serviço não deixa consultar o saldo do split.",
  key: "Chave PIX",
  keySaved: "guardada por você",
  holder: "De quem é a chave",
  holderUnknown: "O serviço não disse de quem é. Confira a chave com quem vai receber.",
  speeds: { normal: "Normal", turbo: "Turbo" },
  otherSpeed: (speed: string, costs: string, when: string): string => `${speed}: ${costs} ${when}`,
  arrives: (net: string): string => `chegam ${net}`,
  feeOf: (fee: string): string => `taxa de ${fee}`,
  when: { normal: "em até 24 horas", turbo: "na hora" },
  target: "Saque a cancelar",
  nextFrom: (at: string): string => `Depois deste, pelo que sei, o próximo só a partir de ${at}.`,

  whyTwice: "Por que peço duas vezes",
  newKeyEndsSo: (end: string): string =>
    `Primeira vez nesta chave por aqui. Confira o fim dela: …**${end}**`,
  careful: "Atenção",
  sentMeanwhile:
    "**Outro saque desta conta saiu depois que mostrei este.** Por isso não enviei e peço de novo: se você queria um só, desista.",
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
  until: (at: string): string => `Previsto para ${at}.`,
  lastWasRecent: (last: string, at: string): string =>
    `O último foi ${last}; um novo é aceito, pelo que sei, a partir de ${at}. Antes disso o serviço pode recusar.`,
  night:
    "À noite (20h às 6h; o serviço não diz o fuso) os limites são menores: ele pode recusar um valor que passaria de dia.",

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
  status: "Ver status",
  saveKey: "Guardar esta chave",
  decisions: {
    own: { happened: "O dinheiro saiu", didNotHappen: "O dinheiro não saiu: liberar" },
    cancel: { happened: "Foi cancelado", didNotHappen: "Não foi cancelado" },
  },
};
