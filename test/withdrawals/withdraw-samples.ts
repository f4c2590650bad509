import type { WithdrawalDetailFacts } from "#src/withdrawals/withdrawal-detail.view.ts";
import type {
  Confirmation,
  GuardFacts,
  CancelConfirmation,
  RefundConfirmation,
  WithdrawStatus,
} from "#src/withdrawals/withdraw-facts.ts";
import { isWithdrawal, type WithdrawKind, type WithdrawOp } from "#src/withdrawals/withdraw-op.ts";
import type { Withdrawal } from "#src/withdrawals/withdrawal.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { LATER, NOW } from "../support/samples.ts";

/** Subjects of a guard's notice. */
export const GUARD_CHANGES = [
  "locked",
  "unlock_asked",
  "pin_set",
  "pin_removed",
  "pin_removal_asked",
  "cap_raise_asked",
  "cap_end_asked",
  "wait_end_asked",
  "new_key",
  "pin_locked",
  "restored",
] as const satisfies readonly GuardFacts["change"][];

export const TOKEN = "AbCdEfGhIjKlMnOpQrStUv";
export const MASKED = "***.456.789-**";
export const WHOLE = "12345678909";
export const TXID = "w7e20b8d5f314a0c9c46a1d3";
export const RECIPIENT = "1180000000000000012";

const AMOUNT = cents(123_400);

/** A split to Bruno when `kind` is a split. */
export const sampleOp = (given: Partial<WithdrawOp> = {}): WithdrawOp => {
  const kind: WithdrawKind = given.kind ?? "normal";
  const split = kind === "split_normal" || kind === "split_turbo";
  return {
    id: "W-7K2Q9",
    accountFp: "fingerprint",
    accountId: "account-1",
    guildId: "1180000000000000001",
    channelId: "1180000000000000102",
    ownerId: "1180000000000000011",
    locale: "pt-BR",
    kind,
    amount: split ? undefined : AMOUNT,
    fee: undefined,
    net: undefined,
    pixKeyMasked: isWithdrawal(kind) ? MASKED : "",
    pixKeyHash: isWithdrawal(kind) ? "hash" : "",
    recipientId: split ? RECIPIENT : undefined,
    targetTxid: isWithdrawal(kind) ? undefined : TXID,
    state: "draft",
    version: 1,
    confirmationsLeft: 1,
    confirmExpiresAt: undefined,
    confirmedAt: undefined,
    sentAt: undefined,
    preTxids: [],
    preBalance: cents(500_000),
    skewMs: 0,
    httpStatus: undefined,
    errorCode: undefined,
    requestId: undefined,
    txid: undefined,
    scheduledFor: undefined,
    absences: 0,
    firstAbsentAt: undefined,
    checks: 0,
    setBackAt: undefined,
    nextCheckAt: undefined,
    resolvedBy: undefined,
    resolution: undefined,
    createdAt: NOW,
    updatedAt: NOW,
    ...given,
  };
};

export const acceptedOp = (given: Partial<WithdrawOp> = {}): WithdrawOp =>
  sampleOp({
    state: "accepted",
    amount: AMOUNT,
    fee: cents(50),
    net: cents(123_350),
    txid: TXID,
    sentAt: NOW,
    ...given,
  });

export const sampleConfirmation = (given: Partial<Confirmation> = {}): Confirmation => ({
  kind: "confirmation",
  op: sampleOp(),
  token: TOKEN,
  expiresAt: NOW.add({ seconds: 120 }),
  confirmationsLeft: 1,
  askedTwice: [],
  pinRequired: false,
  pixKey: { value: new Secret(WHOLE), type: "cpf" },
  holderName: "Carla Nogueira",
  bankName: "Banco Horizonte",
  available: cents(500_000),
  sentMeanwhile: false,
  underWay: [],
  recent: undefined,
  nextAllowedAt: NOW.add({ hours: 24 }),
  night: false,
  lastSplitBalance: undefined,
  keySaved: false,
  ...given,
});

export const sampleStatus = (given: Partial<WithdrawStatus> = {}): WithdrawStatus => ({
  kind: "status",
  op: acceptedOp(),
  withdrawal: undefined,
  problem: undefined,
  readAt: NOW,
  sent: undefined,
  keySavable: false,
  withdrawEnabled: true,
  ...given,
});

export const sampleWithdrawal = (given: Partial<Withdrawal> = {}): Withdrawal => ({
  txid: TXID,
  amount: AMOUNT,
  fee: cents(50),
  net: cents(123_350),
  status: "completed",
  modality: "normal",
  isTurbo: false,
  pixKey: "12345678909",
  pixKeyType: "CPF",
  bankName: "Banco Horizonte",
  accountHolder: "Carla Nogueira",
  transferId: undefined,
  requestedAt: NOW,
  scheduledFor: NOW.add({ hours: 24 }),
  completedAt: NOW.add({ hours: 24 }),
  failedAt: undefined,
  failReason: undefined,
  errorCode: undefined,
  processor: undefined,
  createdAt: NOW,
  updatedAt: NOW,
  ...given,
});

export const REJECTED = {
  reason: "refused",
  message: "Limite de saque excedido.",
  retryAfterMs: undefined,
  shortfall: undefined,
} as const;

export const nothingSent = {
  rejected: undefined,
  pixKeyOwner: undefined,
  previousSplitBalance: undefined,
  newSplitBalance: undefined,
} as const;

/** All that the service writes and a stranger may have written. */
export const hostileWithdrawal = (text: string) =>
  sampleWithdrawal({
    txid: text,
    status: text,
    modality: text,
    pixKey: text,
    pixKeyType: text,
    bankName: text,
    accountHolder: text,
    transferId: text,
    providerTransferId: `p${text}`,
    providerBatchId: text,
    failReason: text,
    errorCode: text,
    processor: { name: text, status: text, lastStatus: text },
  });

/** The same with a text of the service in each place, and all warnings. */
export const hostileConfirmation = (kind: WithdrawKind, text: string): Confirmation =>
  sampleConfirmation({
    op: sampleOp({ kind }),
    pixKey: { value: new Secret(text), type: "unknown" },
    holderName: text,
    bankName: text,
    askedTwice: ["new_key", "unreadable_list", "split", "suspect_key"],
    underWay: (["processing", "scheduled", "unread"] as const).map((phase) => ({
      phase,
      amount: cents(100),
      plannedFor: NOW,
    })),
    recent: { at: NOW, allowedFrom: NOW },
    sentMeanwhile: true,
    night: true,
  });

export const sampleCancel = (given: Partial<CancelConfirmation> = {}): CancelConfirmation => ({
  kind: "cancel",
  op: sampleOp({ kind: "cancel" }),
  token: TOKEN,
  expiresAt: NOW.add({ minutes: 2 }),
  pinRequired: false,
  target: { id: "W-XST6B", kind: "normal" },
  withdrawal: sampleWithdrawal({ status: "scheduled", scheduledFor: NOW }),
  ...given,
});

/** The same with a text of the service in each place. */
export const hostileCancel = (text: string): CancelConfirmation =>
  sampleCancel({
    op: sampleOp({ kind: "cancel", targetTxid: text }),
    withdrawal: sampleWithdrawal({ pixKey: text }),
    pinRequired: true,
  });

export const sampleRefund = (given: Partial<RefundConfirmation> = {}): RefundConfirmation => ({
  kind: "refund",
  op: sampleOp({ kind: "refund", amount: cents(7_990) }),
  token: TOKEN,
  expiresAt: NOW.add({ minutes: 2 }),
  pinRequired: false,
  payment: {
    amount: cents(7_990),
    fee: cents(479),
    description: "Plano VIP mensal",
    payer: {
      name: "Marcos ***",
      document: undefined,
      bankName: undefined,
      bankCode: undefined,
      accountType: undefined,
    },
    createdAt: NOW,
  },
  unlistedDisputes: 0,
  ...given,
});

/** A refund whose every text is a stranger's. */
export const hostileRefund = (text: string): RefundConfirmation => {
  const { payment } = sampleRefund();
  const payer = { name: text, document: text, bankName: text, bankCode: text, accountType: text };
  return sampleRefund({
    op: sampleOp({ kind: "refund", targetTxid: text }),
    payment: { ...payment, description: text, payer },
    unlistedDisputes: 12,
    pinRequired: true,
  });
};

/** A withdrawal in full, which is completed. */
export const sampleDetail = (
  given: Partial<WithdrawalDetailFacts> = {},
): WithdrawalDetailFacts => ({
  op: acceptedOp({ state: "completed" }),
  events: [],
  withdrawal: sampleWithdrawal(),
  problem: undefined,
  readAt: NOW,
  hasGuild: true,
  withdrawEnabled: true,
  locale: "pt-BR",
  ...given,
});

/** `acceptedOp` once it is completed, as `/saques` opens it. */
export const COMPLETED_IN_SHORT: readonly string[] = [
  "✅ Saque concluído",
  "O serviço concluiu o saque: **R$ 1.233,50** foram para a chave PIX.\n" +
    "Valor do saque R$ 1.234,00 · Taxa R$ 0,50\n" +
    `Chave PIX: \`${MASKED}\` · \`Carla Nogueira\` · \`Banco Horizonte\`\n` +
    `Concluído em ${LATER}\n` +
    `Pelo que sei, o próximo só a partir de ${LATER}.\n` +
    "-# W-7K2Q9",
];
