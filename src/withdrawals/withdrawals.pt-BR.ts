import type { WithdrawKind, WithdrawState } from "./withdraw-op.ts";
import type { UnclaimedWithdrawal } from "./withdrawal.ts";

const states: Readonly<Record<WithdrawState, string>> = {
  draft: "Esperando a sua confirmação",
  confirmed: "Confirmado, saindo",
  sending: "Enviando",
  accepted: "Aceito pelo serviço",
  scheduled: "Agendado",
  processing: "Em processamento",
  unknown: "Ainda não sei se foi feito",
  manual: "Espera a sua decisão",
  completed: "Concluído",
  failed: "Falhou",
  cancelled: "Cancelado",
  abandoned: "Você não confirmou",
  refused_local: "Não enviei",
  rejected: "Recusado pelo serviço",
  not_sent: "Não chegou a sair",
  not_executed: "Não foi feito",
  resolved_manual: "Respondido",
};

const kinds: Readonly<Record<WithdrawKind, string>> = {
  normal: "normal",
  turbo: "turbo",
  split_normal: "split normal",
  split_turbo: "split turbo",
  cancel: "cancelamento",
  refund: "estorno",
};

/** Consequences of the owner's decision. */
const decisionHints = {
  own: {
    happened: "Anoto como feito e libero novos saques",
    didNotHappen: "Libera novos saques. Se o dinheiro saiu, um novo paga duas vezes",
  },
  /** With a txid: blocks no withdrawal. */
  found: {
    happened: "Anoto como feito e fecho este registro",
    didNotHappen: "Anoto como não feito. Se o dinheiro saiu, um novo saque paga duas vezes",
  },
  cancel: {
    happened: "Anoto que ele não vai mais sair",
    didNotHappen: "Anoto que ele seguiu: confira em /saques como ele está",
  },
  refund: {
    happened: "Anoto como estornada, e não estorno esta venda de novo",
    didNotHappen: "Libera outro estorno. Se ela já foi estornada, outro paga duas vezes",
  },
};

/** `/saques`: the list, one withdrawal in full, and its receipt. */
export const withdrawals = {
  states,
  kinds,
  cancelOf: (amount: string): string => `cancelamento de ${amount}`,
  foundStep: "Achei no serviço: foi aceito",
  decided: {
    happened: "Respondido: aconteceu",
    did_not_happen: "Respondido: não aconteceu",
  },

  listTitle: "Saques",
  emptyHint: "Quando você sacar com `/saque` ou `/split-saque`, o saque aparece aqui.",
  empty: "Nenhum saque por aqui ainda.",
  emptyHere: "Dos que começaram por aqui, nenhum está nessa situação.",
  emptyFilter: "Nenhum saque nessa situação. No menu você escolhe outra.",
  undelivered: (count: number): string =>
    count === 1
      ? "**1 aviso sobre saques dos últimos 7 dias não chegou até você: o Discord recusou a minha mensagem direta.** Confira a lista abaixo, e libere no Discord as mensagens diretas do servidor em que você vende."
      : `**${count} avisos sobre saques dos últimos 7 dias não chegaram até você: o Discord recusou as minhas mensagens diretas.** Confira a lista abaixo, e libere no Discord as mensagens diretas do servidor em que você vende.`,
  latest: (shown: number): string =>
    `Os ${shown} mais recentes. Os outros abrem no menu ou com \`/saques txid:\`.`,
  otherAccount: "de outra conta sua",
  /** Above the answer about one, in the direct message. */
  notOfChosen: "-# De outra conta sua, não da chave que você escolheu.",
  elsewhere: "Na conta, fora do bot",
  /** With a row that began here, or may have. */
  listed: "Na lista do serviço",
  outside: "fora do bot",
  origin: ({ byAnother, mayBeOpId }: UnclaimedWithdrawal): string | undefined => {
    if (byAnother === true) return "de outra pessoa desta conta";
    return mayBeOpId && `talvez o seu ${mayBeOpId}`;
  },
  elsewhereNone: "Nenhum outro na lista do serviço.",
  elsewhereMore: (count: number): string =>
    `E mais ${count}. O menu abre os mais recentes; \`/saques txid:\` abre qualquer um.`,
  elsewhereUnread: (why: string): string =>
    `Não consegui ler a lista do serviço agora.${why} O que começou aqui está todo no meu registro; o que você fez por fora pode faltar.`,
  elsewhereNoKey:
    "Sem a sua chave da API conectada neste servidor, não leio a lista do serviço: conecte com `/conta conectar`. O que começou aqui está no meu registro.",
  filterPlaceholder: "Mostrar só…",
  openPlaceholder: "Abrir um saque (horários de Brasília)",
  filters: {
    all: "Todos",
    ongoing: "Em andamento",
    scheduled: "Agendados",
    done: "Concluídos",
    ended: "Não feitos ou cancelados",
    unclear: "Ainda sem resposta certa",
  },

  titleElsewhere: "Saque feito fora do bot",
  titleMayBe: (code: string): string => `Talvez o seu saque ${code}`,
  titleByAnother: "Saque de outra pessoa desta conta",
  byAnotherText:
    "Outra pessoa desta conta pediu este saque por aqui. Mostro o que o serviço diz dele.",
  mayBeText: (code: string): string =>
    `Pode ser o seu saque ${code}, que ainda estou conferindo. Mostro o que o serviço diz dele.`,
  elsewhereText: "Este saque não começou por aqui. Mostro o que o serviço diz dele.",
  amount: "Valor",
  fee: "Taxa",
  net: "Líquido",
  state: "Situação",
  serviceState: "Situação no serviço",
  modality: "Modalidade",
  bank: "Banco",
  holder: "Titular",
  txid: "Txid",
  transferId: "Transferência no processador",
  processor: "O que o processador diz",
  processorBefore: (before: string): string => `antes: ${before}`,
  processorNote: "são palavras dele, e não a situação do saque",
  beside: "O que o serviço anotou",
  deducted: (already: boolean): string =>
    already ? "O valor já saiu do saldo" : "O valor ainda está no saldo",
  frozenNoted: (amount: string): string => `Saldo retido: ${amount}`,
  otherTransferId: (id: string): string => `Transferência: ${id}`,
  batch: (id: string): string => `Lote: ${id}`,
  dates: "Datas",
  requestedAt: "Pedido em",
  scheduledFor: "Previsto para",
  planned: (at: string): string => `previsto para ${at}`,
  completedAt: "Concluído em",
  failedAt: "Falhou em",
  failReason: "Motivo da falha, nas palavras do serviço",
  failReasonUnknown: "o serviço não disse",
  errorCode: "Código do erro",
  createdAt: "Criado no serviço em",
  updatedAt: "Mudou no serviço em",
  journal: "Passo a passo",
  readAt: "Lido em",
  notSaid: "o serviço não informa",
  notForNormal: "não há no saque normal",
  keyTypes: {
    CPF: "CPF",
    CNPJ: "CNPJ",
    EMAIL: "e-mail",
    PHONE: "celular",
    EVP: "chave aleatória",
  },
  turbo: "turbo, na hora",
  normal: "normal, em até 24 horas",

  receipt: "Recibo",
  cancel: "Cancelar saque",
  details: "Mais detalhes",
  seeAll: "Ver todos",
  openThis: (code: string): string => `Ver ${code}`,

  decisionTitle: (decision: string): string => `Confirmar: ${decision}`,
  decisionHints,
  typeCode: (code: string): string => `Para confirmar, digite ${code}`,

  receiptTitle: "RECIBO DE SAQUE POR PIX",
  receiptArrived: "Chegou",
  receiptLeft: "Saiu do saldo",
  receiptReturned: "O serviço devolve ao saldo",
  receiptWithFee: (amount: string, fee: string): string => `${amount}, com a taxa de ${fee}`,
  receiptZone: "Horários de Brasília",
  receiptProves:
    "O que prova: na hora da leitura, o serviço de pagamentos dizia que este PIX foi concluído.",
  receiptPayer: "O nome de quem paga não vem nele: para isso, use o comprovante do banco.",
  /** Begins a file's name. */
  receiptFile: "recibo",
  receiptNotPaid: "Não é comprovante de pagamento.",
};
