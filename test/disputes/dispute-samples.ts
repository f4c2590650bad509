import type { ContestedSale, Dispute, DisputeSummary } from "#src/disputes/dispute.ts";
import type { AlertRoute } from "#src/disputes/dispute-alert.ts";
import type { DisputeRow } from "#src/disputes/dispute-list.ts";
import { cents } from "#src/shared/money.ts";
import type { DisputeDetailFacts } from "#src/disputes/dispute-detail.view.ts";
import type { DisputeListFacts } from "#src/disputes/dispute-list.view.ts";
import { NOW } from "../support/samples.ts";

export const INFRACTION = "b3c5e0f2-66d1-4a7e-8f19-0d42a7c81e53";
export const CONTESTED = "a41f07c98e2d4b6391d05c7f";
export const DUE = NOW.add({ hours: 48 });
/** `DUE` as a Discord timestamp. */
export const DUE_WHEN = "<t:1795370400:d> <t:1795370400:t> (<t:1795370400:R>)";

export const apiSale: ContestedSale = {
  origin: "api",
  txid: CONTESTED,
  amount: cents(24_900),
  fee: cents(1_494),
  net: cents(23_406),
  status: "approved",
  description: "Plano VIP mensal",
  productName: undefined,
  buyer: undefined,
  createdAt: NOW,
};

export const esalesSale: ContestedSale = {
  ...apiSale,
  origin: "esales",
  status: undefined,
  description: undefined,
  productName: "Curso de edição de vídeo",
  buyer: "Bruno",
};

export const sampleDispute = (given: Partial<Dispute> = {}): Dispute => {
  const { txid = CONTESTED } = given;
  const sale = "sale" in given ? given.sale : { ...apiSale, txid };
  return {
    infractionId: INFRACTION,
    txid,
    amount: cents(24_900),
    frozen: cents(23_406),
    status: "pending",
    analysisStatus: "pending",
    situation: "FRAUDE",
    description: "Pagador informa que não reconhece o pagamento.",
    contestedAt: NOW,
    dueAt: DUE,
    answeredAt: undefined,
    answer: undefined,
    payerName: "Carla",
    payerTaxId: "***.482.917-**",
    refund: undefined,
    createdAt: NOW,
    resolvedAt: undefined,
    sale,
    saleTxid: sale?.txid,
    ...given,
  };
};

export const sampleSummary: DisputeSummary = {
  byStatus: { pending: 2, agreed: 1, disagreed: 3, canceled: 1, total: 7 },
  byAnalysis: { pending: 2, accepted: 1, rejected: 4 },
  frozen: cents(31_819),
  lost: cents(15_040),
};

export const sampleRow = (given: Partial<DisputeRow> = {}): DisputeRow => ({
  infractionId: INFRACTION,
  txid: CONTESTED,
  amount: cents(24_900),
  frozen: cents(23_406),
  status: "pending",
  analysisStatus: "pending",
  contestedAt: NOW,
  dueAt: DUE,
  state: "needs_answer",
  ...given,
});

export const listFacts = (given: Partial<DisputeListFacts> = {}): DisputeListFacts => ({
  watchId: "account-1",
  summary: sampleSummary,
  rows: [sampleRow()],
  filter: "all",
  page: 0,
  pages: 1,
  found: 1,
  alerts: "direct",
  undelivered: 0,
  unlistedPending: 0,
  awaiting: 1,
  mayAwait: 0,
  counts: { overdue: 0, bank: 1, ended: 2, won: 1 },
  listProblem: undefined,
  unlisted: 0,
  problems: [],
  readAt: NOW,
  locale: "pt-BR",
  ...given,
});

export const detailFacts = (given: Partial<DisputeDetailFacts> = {}): DisputeDetailFacts => ({
  watchId: "account-1",
  dispute: sampleDispute(),
  state: "needs_answer",
  watched: undefined,
  readAt: NOW,
  hasGuild: true,
  locale: "pt-BR",
  ...given,
});

/** A channel with a role that some of its alerts ping, and quiet hours over midnight. */
export const sampleAlertRoute = (given: Partial<AlertRoute> = {}): AlertRoute => ({
  guildId: "1180000000000000001",
  channelId: "1180000000000000102",
  roleId: "1180000000000000301",
  pingSteps: ["new", "6h", "1h"],
  quiet: { from: Temporal.PlainTime.from("22:00"), to: Temporal.PlainTime.from("07:00") },
  timeZone: "America/Sao_Paulo",
  slowNights: false,
  active: true,
  locale: "pt-BR",
  suspendedAt: undefined,
  updatedBy: "1180000000000000013",
  ...given,
});

/** All text from the service that a stranger may have written; only ids have a form that the client checks. */
export const hostileDispute = (text: string): Dispute =>
  sampleDispute({
    txid: text,
    status: text,
    analysisStatus: text,
    situation: text,
    description: text,
    answer: text,
    payerName: text,
    payerTaxId: text,
    refund: [
      { name: text, value: text },
      { name: "", value: text },
    ],
    sale: {
      ...apiSale,
      origin: text,
      txid: text,
      status: text,
      description: text,
      productName: text,
      buyer: text,
    },
  });

const said = (text: string) => ({ status: text, analysisStatus: text, txid: text });
export const hostileRows = (text: string) => [
  sampleRow({ state: "other", ...said(text) }),
  sampleRow({ infractionId: "other-1", state: undefined, ...said(text) }),
  sampleRow({ infractionId: text, state: "other", ...said(text) }),
];
