import type { CloseKind } from "../closes/close.ts";
import { format } from "../ui/format.pt-BR.ts";
import { reportShows } from "./texts.pt-BR.ts";

/**
 * Unrequested direct messages: each tells the event and the next step. `…Alone`, here and in the other texts, is the
 * preview on a locked phone.
 */
export const notices = {
  day: "Dia",

  channelLost: "O relatório diário parou",
  channelLostAlone: "O relatório diário parou: não consigo mais postar no canal dele.",
  channelLostText: (channel: string): string =>
    `Não consigo mais postar em ${channel}: o canal não existe mais ou não me deixa postar. ` +
    "Quem gerencia o servidor acerta as permissões ou escolhe outro canal com `/config relatorio`. O que não sair fica guardado por 7 dias e sai quando o canal voltar.",

  reportChannel: "Posso postar o seu total de cada dia?",
  reportChannelAlone:
    "Posso postar o seu total de cada dia no canal do relatório? Sem o seu sim, nada sai.",
  reportChannelText: (channel: string): string =>
    `O servidor em que você vende escolheu ${channel} para o relatório diário. ` +
    reportShows +
    "Sem o seu sim, nada seu sai lá. Você muda isso quando quiser, com `/conta ver` no servidor; lá você também pode escolher o relatório só para você, por mensagem direta.",

  keyRefused: {
    last: {
      title: "O serviço recusou a sua chave",
      alone: "O serviço recusou a sua chave: não vejo mais os seus MEDs nem as suas vendas.",
      text: "Até ela voltar não vejo os seus MEDs nem as suas vendas: lembretes de MED que ainda saírem seguem o que vi por último. Ficam parados o relatório e os avisos, também o de um saque feito fora daqui, e o andamento das suas cobranças.",
    },
    /** Another key of the owner for the same wallet account still works. */
    one: {
      title: "O serviço recusou uma das suas chaves",
      alone:
        "O serviço recusou uma das suas chaves: o relatório e os avisos que dependem dela podem parar.",
      text: "Outra chave sua da mesma conta continua funcionando: por ela vejo os seus MEDs e os saques feitos fora daqui, e acompanho as suas cobranças. Até esta voltar, podem ficar parados, nos servidores em que ela está, o relatório e os avisos de venda.",
    },
  },
  keyRefusedNext:
    "Se você trocou a chave, conecte a nova com `/conta conectar` no servidor. Se ela ainda vale, tudo volta sozinho: tento de novo por 30 dias, e na hora se você usar `/vendas` lá.",

  keyAccepted: "O serviço voltou a aceitar a sua chave",
  keyAcceptedAlone:
    "O serviço voltou a aceitar a sua chave: os alertas, o relatório e os avisos continuam.",
  keyAcceptedText:
    "Tentei de novo, e ela funcionou. Os alertas de MED, o relatório e os avisos que você deixou ligados continuam: não precisa fazer nada.",

  uncertainReport: "O seu relatório pode ter saído",
  uncertainReportAlone: (day: Temporal.PlainDate): string =>
    `O seu relatório de ${format.date(day)} pode ter saído: dê uma olhada no canal.`,
  uncertainReportText: (channel: string): string =>
    `O Discord não confirmou o relatório em ${channel}, e não vou repetir para ele não sair duas vezes. ` +
    "Dê uma olhada no canal.",
  /** Where to read the same figures in private; `day` as people type it. */
  sameFigures: (day: string): string =>
    `Se não estiver lá, peça os números com \`/vendas data:${day}\`.`,

  rejectedReport: {
    daily: {
      title: "Um relatório não saiu",
      alone: (day: Temporal.PlainDate): string =>
        `O relatório de ${format.date(day)} não saiu: o Discord recusou o post.`,
      text: "Quem vende ainda pede os próprios números com `/vendas`.",
    },
    close: {
      title: "Um fechamento não saiu",
      alone: (kind: CloseKind, day: Temporal.PlainDate): string =>
        `O fechamento ${kind === "week" ? "da semana" : "do mês"} até ${format.date(day)} não saiu: o Discord recusou o post.`,
      text: "Quem vende ainda pede os próprios números com `/vendas periodo`.",
    },
  },
  rejectedReportText: (channel: string): string =>
    `Ele ia para ${channel}, e não vou repetir. O motivo está no registro de quem cuida do bot. ` +
    "Para ver se os próximos saem, faça um teste com `/config relatorio`.",

  sharedAccount: "Outra pessoa conectou a sua conta do serviço",
  sharedAccountAlone:
    "Outra pessoa conectou a sua conta do serviço de pagamentos. Se vocês não combinaram isso, abra esta mensagem agora.",
  sharedAccountText: (owner: string, admin: string | undefined): string =>
    `${admin === undefined ? `${owner} conectou` : `${admin} conectou, para ${owner},`} uma chave da mesma conta do serviço de pagamentos que você conectou. ` +
    `Por ela, ${owner} vê as vendas da conta e pode sacar dela. Se vocês combinaram isso, não precisa fazer nada.\n\n` +
    "**Se não combinaram:** revogue agora a chave da API no painel do serviço e conecte uma nova com `/conta conectar`. A sua trava não para os saques de outra pessoa.",

  connectedForYou: "Conectaram uma chave para você",
  connectedForYouAlone: "Quem gerencia um servidor conectou uma chave da API em seu nome.",
  connectedForYouText: (admin: string): string =>
    `${admin} gerencia o servidor e conectou uma chave da API em seu nome. Só você pode usá-la por lá. ` +
    "Confira o final dela no serviço de pagamentos. Se não é sua, ou se você não pediu isso, apague com `/conta desconectar`; se é sua, troque-a também no serviço.",
  consentIsYours:
    "O seu total diário não sai no canal sem o seu aceite: para decidir, use `/conta ver` no servidor.",
  alertsAreYours: "Dos seus MEDs aviso você por mensagem direta, e isso também muda ali.",
};
