/** Expected values of the assumed answers, whose form is undocumented. In centavos. */
export const assumed = {
  "assumed-balance": { available: 183_472 },
  "assumed-withdrawals": {
    items: [
      {
        txid: "w7e20b8d5f31",
        amount: 25_000,
        status: "processing",
        requestedAt: "2025-03-14T13:05:22.418Z",
      },
      {
        txid: "SW1741957522418K7QX2M",
        amount: 38_745,
        status: "completed",
        requestedAt: "2025-03-13T13:05:22.418Z",
      },
    ],
    skewMs: 10_500,
  },
  "assumed-withdrawals.root": {
    items: [
      { txid: "w7e20b8d5f31", requestedAt: "2025-03-14T13:05:22.418Z" },
      {
        txid: "SW1741957522418K7QX2M",
        status: "failed",
        requestedAt: "2025-03-13T13:05:22.418Z",
      },
    ],
    skewMs: 10_500,
  },
  "assumed-meds": {
    items: [
      {
        infractionId: "b3c5e0f2-66d1-4a7e-8f19-0d42a7c81e53",
        txid: "a41f07c98e2d4b6391d05c7f",
        amount: 24_900,
        frozen: 23_406,
        status: "pending",
        analysisStatus: "pending",
        contestedAt: "2025-03-16T09:12:30Z",
        dueAt: "2025-03-23T09:12:30Z",
      },
      { infractionId: "0e8a7d14-92bf-4c36-b5a0-71f3d96c2b08", status: "disagreed" },
    ],
    unnamed: 0,
    isWhole: true,
  },
  "assumed-meds.root": {
    items: [
      { infractionId: "5f71b9c6-1d08-4e92-a3d7-c84e60fb2719", dueAt: "2025-02-06T20:45:00Z" },
    ],
    unnamed: 1,
    isWhole: true,
  },
  "assumed-transactions": {
    items: [
      {
        txid: "a41f07c98e2d4b6391d05c7f",
        amount: 24_900,
        net: 23_406,
        type: "payment",
        status: "approved",
        description: "Plano VIP mensal",
        createdAt: "2025-03-14T22:47:10.052Z",
        updatedAt: "2025-03-14T22:48:33.901Z",
      },
      { txid: "w7e20b8d5f31", type: "withdrawal", status: "processing", amount: 25_000 },
    ],
    unnamed: 0,
    skewMs: 10_500,
    next: "page=2#first=1",
  },
  "assumed-transactions.root": {
    items: [
      {
        txid: "c9035e7ab1184fd2a6207be4",
        amount: 8_950,
        description: "Pacote de emojis",
        createdAt: "2025-03-11T17:20:45.31Z",
      },
    ],
    unnamed: 1,
    unnamedRows: [{ amount: 700 }],
    skewMs: 10_500,
  },
  "assumed-pix-validate": {
    valid: true,
    holderName: "Ana",
    bankName: "Cooperativa Serra Clara",
  },
  "assumed-withdraw.turbo": {
    state: "accepted",
    httpStatus: 200,
    requestId: "req_example",
    value: {
      txid: "w7e20b8d5f31",
      amount: 25_000,
      fee: 350,
      net: 24_650,
      pixKeyOwner: "Ana",
    },
  },
  "assumed-withdraw.normal": {
    state: "accepted",
    httpStatus: 200,
    requestId: "req_example",
    value: {
      txid: "w1c93ad07e44",
      amount: 12_035,
      fee: 50,
      net: 11_985,
      pixKeyOwner: "Ana",
      estimatedProcessingAt: "2025-03-15T13:05:22.418Z",
    },
  },
  "assumed-charge": {
    state: "accepted",
    httpStatus: 200,
    requestId: "req_example",
    value: {
      txid: "c5d1f08e27ab",
      code: "00020101021226540014br.gov.bcb.pix2532pix.sandbox.example/qr/v2/abc1235204000053039865802BR5908Loja Ana6009SAO PAULO62070503***630463FC",
      fee: 479,
      net: 7_511,
      expiresAt: "2025-03-14T13:35:22.418Z",
    },
  },
  "assumed-charge-status": {
    status: "pending",
    code: "00020101021226540014br.gov.bcb.pix2532pix.sandbox.example/qr/v2/abc1235204000053039865802BR5908Loja Ana6009SAO PAULO62070503***630463FC",
    expiresAt: "2025-03-14T13:35:22.418Z",
  },
  "assumed-withdraw-cancel": { state: "accepted", httpStatus: 200, requestId: "req_example" },
  "assumed-refund": { state: "accepted", httpStatus: 200, requestId: "req_example" },
};
