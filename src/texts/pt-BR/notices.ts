import { reportShows } from "./account.ts";
import { format } from "./format.ts";

/**
 * Direct messages that nobody asked for: each says what happened and what to do. `…Alone`, here and in the other texts,
 * is what a locked phone shows of it.
 */
export const notices = {
  openServer: "Abrir o servidor",
  key: "Chave",
  day: "Dia",
  channel: "Canal",
  noticedAt: "Notado em",

  channelLost: "O relatório diário parou",
  channelLostAlone: "O relatório diário parou: não consigo mais postar no canal dele.",
  channelLostText: (channel: string): string =>
    `Não consigo mais postar em ${channel}: o canal não existe mais ou não me deixa postar. ` +
    "Quem gerencia o servidor acerta as permissões ou escolhe outro canal com `/config relatorio`. " +
    "O que não sair fica guardado por 7 dias e sai quando o canal voltar.",

  reportChannel: "Posso postar o seu total de cada dia?",
  reportChannelAlone:
    "Posso postar o seu total de cada dia no canal do relatório? Sem o seu sim, nada sai.",
  reportChannelText: (channel: string): string =>
    `O servidor em que você vende escolheu ${channel} para o relatório diário. ` +
    reportShows +
    "Sem o seu sim, nada seu sai lá. Você muda isso quando quiser, com `/conta ver` no servidor.",

  keyRefused: "O serviço recusou a sua chave",
  keyRefusedAlone: "O serviço recusou a sua chave: não vejo mais os seus MEDs nem as suas vendas.",
  keyRefusedText:
    "Por isso o seu relatório diário parou, e não vejo mais os seus MEDs. Se você trocou a chave, conecte a nova com `/conta conectar` no servidor. " +
    "Se ela ainda vale, use `/vendas`: quando o serviço responder, tudo volta sozinho.",

  uncertainReport: "O seu relatório pode ter saído",
  uncertainReportAlone: (day: Temporal.PlainDate): string =>
    `O seu relatório de ${format.date(day)} pode ter saído: dê uma olhada no canal.`,
  uncertainReportText: (channel: string): string =>
    `O Discord não confirmou o relatório em ${channel}, e não vou repetir para ele não sair duas vezes. ` +
    "Dê uma olhada no canal.",
  /** `command` shows the same figures in private. */
  sameFigures: (command: string): string => `Se não estiver lá, peça os números com ${command}.`,

  connectedForYou: "Conectaram a sua chave",
  connectedForYouAlone: "Quem gerencia um servidor conectou uma chave da API em seu nome.",
  connectedForYouText: (admin: string): string =>
    `${admin} gerencia o servidor e conectou uma chave da API em seu nome. Só você pode usá-la por lá. ` +
    "Se você não pediu isso, apague com `/conta desconectar` e troque a chave no serviço de pagamentos.",
  consentIsYours:
    "O seu total diário não sai no canal sem o seu aceite: para decidir, use `/conta ver` no servidor. Dos seus MEDs aviso você por mensagem direta, e isso também muda ali.",
};
