import { format } from "../ui/format.pt-BR.ts";
import type { CloseKind } from "./close.ts";

const counted = (count: number, one: string, many: string): string =>
  `${format.count(count)} ${count === 1 ? one : many}`;

export const closes = {
  title: (kind: CloseKind, name: string): string =>
    kind === "week" ? `Fechamento da semana, ${name}` : `Fechamento de ${name}`,
  /** For a locked phone: plain words. */
  alone: (kind: CloseKind, name: string, sold: string, change: string | undefined): string =>
    `${kind === "week" ? "Semana de" : "Mês de"} ${name}: ${sold}${change === undefined ? "" : `, ${change}`}.`,
  aloneSold: (amount: string, sales: string): string => `${amount} em ${sales}`,
  aloneNothing: "nenhuma venda aprovada",
  aloneUnread: "não consegui ler as vendas",
  unread: "Faltam as vendas de todos estes dias.",
  without: (days: number, sellers: number): string =>
    `sem contar ${counted(days, "dia", "dias")} de ${counted(sellers, "vendedor", "vendedores")}`,
  withoutDays: (days: number): string => `sem contar ${counted(days, "dia", "dias")}`,
  partial: (without: string): string => `**Parcial:** ${without}`,
  than: (kind: CloseKind): string => (kind === "week" ? "na semana anterior" : "no mês anterior"),
  /** The full word for "—" is in the description. */
  unknown: (than: string): string => `— (vendas ${than}: ainda não li)`,
  best: (day: string, amount: string): string => `Melhor dia: **${day}**, ${amount}`,
  worst: (day: string, amount: string): string => `pior: ${day}, ${amount}`,
  withdrawals: "Saques",
  nonePaid: "nenhum concluído",
  noneRead: "nenhum concluído no que consegui ler",
  withdrawn: (amount: string, count: number, some: number | undefined): string =>
    `${amount} em ${some === undefined ? "" : `${some} de `}${counted(count, "saque", "saques")}`,
  disputes: "MEDs",
  opened: (count: number, amount: string): string =>
    `${counted(count, "novo", "novos")} (${amount})`,
  won: (count: number, amount: string): string =>
    `${counted(count, "ganho", "ganhos")} (${amount})`,
  lost: (count: number, amount: string): string =>
    `${counted(count, "perdido", "perdidos")} (${amount})`,
  unwatched: "não acompanho: os alertas de MED estão desligados",
  refunds: "Estornos por este bot",
  refunded: (amount: string, count: number): string => `${amount} em ${format.count(count)}`,
  fees: "Taxas",
  feesPaid: (amount: string, share: string | undefined): string =>
    share === undefined ? amount : `${amount} (${share})`,
  feesSeen: "Taxa diferente",
  feeDays: (days: number, told: string): string =>
    `Em ${counted(days, "dia", "dias")} a taxa foi diferente de 6%: ${told}.`,
  instead: (day: string, came: string, expected: string): string =>
    `${day} ${came} em vez de ${expected}`,
  more: (count: number): string => `e mais ${format.count(count)}`,
  esalesToo: "Aí entram vendas do eSales, e o serviço não diz se a taxa delas é a mesma.",
  feeCharges: (count: number, told: string): string =>
    `Em ${counted(count, "cobrança", "cobranças")} a taxa foi diferente de 6%: ${told}.`,
  feeWithdrawals: (count: number, told: string): string =>
    `Em ${counted(count, "saque", "saques")} a taxa foi outra: ${told}.`,
  missing: "Falta",
  missingOf: (owner: string, isRefused: boolean, days: number, told: string): string =>
    `${owner}: ${isRefused ? "a chave foi recusada, " : ""}${counted(days, "dia", "dias")} (${told})`,
  missingWhy: "Não deu para ler: fica fora das somas.",
  unreadDays: (days: number, told: string, why: string): string =>
    `Ainda não li ${counted(days, "dia", "dias")} (${told}). ${why}`,
  asked: "Já pedi: toque no botão de novo em alguns minutos.",
  keyRefused: "A chave foi recusada: leio quando ela voltar.",
  tooOld: (days: number, told: string): string =>
    `Não guardo dias tão antigos: ${counted(days, "dia", "dias")} (${told}). A **Planilha** ainda pode ler.`,
  missingSellers: (sellers: number): string =>
    `E mais ${counted(sellers, "vendedor", "vendedores")}.`,
  yours: (kind: CloseKind, name: string): string =>
    kind === "week" ? `Sua semana, ${name}` : `Seu mês, ${name}`,
  sheet: "Planilha",
  mineToo: "Saques e MEDs",
  uncertain: "O fechamento pode ter saído",
  uncertainAlone: (kind: CloseKind, day: Temporal.PlainDate): string =>
    `O fechamento ${kind === "week" ? "da semana" : "do mês"} até ${format.date(day)} pode ter saído: dê uma olhada no canal.`,
  uncertainText: (channel: string): string =>
    `O Discord não confirmou o fechamento em ${channel}, e não vou repetir para ele não sair duas vezes. ` +
    "Dê uma olhada no canal.",
  sameFigures: "Se não estiver lá, quem vende pede os próprios números com `/vendas periodo`.",
};
