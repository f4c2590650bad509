const transactionTurbo = {
  skewMs: 10_500,
  txid: "w1b6c94e07da2453f8e90c25a",
  amount: 12_000,
  fee: 350,
  net: 11_650,
  type: "withdrawal",
  modality: "turbo",
  withdrawal: {
    pixKey: "7d9f2c1e-4b3a-4f60-9a58-2e61c0b7d345",
    transferId: "trf_9b17e3c2045d",
  },
  createdAt: "2025-03-12T10:11:12.013Z",
};

/** Expected values of the documented transactions, in centavos; absent fields have no value. */
export const transactions = {
  "transaction.payment.approved": {
    skewMs: 10_500,
    txid: "a41f07c98e2d4b6391d05c7f",
    amount: 24_900,
    fee: 1_494,
    net: 23_406,
    type: "payment",
    status: "approved",
    modality: "link",
    description: "Plano VIP mensal",
    redirectUrl: "https://lojaaurora.example/obrigado",
    payer: {
      name: "Camila Ribeiro Fontes",
      document: "***.482.917-**",
      bankName: "Banco Horizonte Azul S.A.",
      bankCode: "091",
      accountType: "checking",
    },
    createdAt: "2025-03-14T22:47:10.052Z",
    updatedAt: "2025-03-14T22:48:33.901Z",
  },
  "transaction.payment.refunded": {
    skewMs: 10_500,
    txid: "c9035e7ab1184fd2a6207be4",
    amount: 8_950,
    fee: 537,
    net: 8_413,
    type: "payment",
    status: "refunded",
    modality: "link",
    description: "Pacote de emojis personalizados",
    payer: {
      name: "Thiago Barreto Quintela",
      document: "***.075.331-**",
      bankName: "Cooperativa Serra Clara",
      bankCode: "008",
      accountType: "checking",
    },
    createdAt: "2025-03-11T17:20:45.31Z",
    updatedAt: "2025-03-13T12:02:18.774Z",
  },
  "transaction.withdrawal-normal.scheduled": {
    skewMs: 10_500,
    txid: "w7e20b8d5f314a0c9c46a1d3",
    amount: 50_000,
    fee: 50,
    net: 49_950,
    type: "withdrawal",
    status: "scheduled",
    modality: "normal",
    withdrawal: {
      pixKey: "marina.alencar@lojaaurora.example",
      scheduledFor: "2025-03-15T14:30:00Z",
    },
    createdAt: "2025-03-14T14:30:00Z",
    updatedAt: "2025-03-14T14:30:00Z",
  },
  "transaction.withdrawal-turbo.processing": {
    ...transactionTurbo,
    status: "processing",
    updatedAt: "2025-03-12T10:11:12.64Z",
  },
  "transaction.withdrawal-turbo.approved": {
    ...transactionTurbo,
    status: "approved",
    providerId: "trf_9b17e3c2045d",
    updatedAt: "2025-03-12T10:11:18.205Z",
  },
};

const figures = (sales: number, fees: number, net: number) => ({ sales, fees, net });
const none = { ...figures(0, 0, 0), count: 0 };

/** Expected values of the documented reports, in centavos. */
export const reports = {
  "sales-report": {
    day: "2025-03-14",
    skewMs: 10_500,
    userId: "1092746381520374835",
    total: figures(77_700, 4_662, 73_038),
    byOrigin: {
      api: { ...figures(59_800, 3_588, 56_212), count: 4 },
      esales: { ...figures(17_900, 1_074, 16_826), count: 2 },
    },
  },
  "sales-report.empty": {
    day: "2025-01-01",
    skewMs: 10_500,
    userId: "1092746381520374835",
    total: figures(0, 0, 0),
    byOrigin: { api: none, esales: none },
  },
};
