import { amounts, type Answer, isoTime, notFound, ok, type ResourceRequest } from "./resource.ts";
import { paymentFeeCents, type Sale } from "./sale-ledger.ts";
import {
  type Withdrawal,
  withdrawalFeeCents,
  withdrawalStatus,
  withdrawalUpdatedAt,
} from "./withdrawals.ts";

const APPROVAL_SECONDS = 42;

/**
 * `GET /v1/transactions/{txid}`. Source: service.md 2.3 and 4.2. The document does not show whether sales of the
 * other platform can be read here: this sandbox does not find them.
 */
export const transaction = ({ merchant, id, now }: ResourceRequest): Answer => {
  const sale = merchant.sales.find(id, now);
  if (sale?.origin === "api") return ok({ transaction: payment(sale) });
  const found = merchant.withdrawals.find(({ txid }) => txid === id);
  if (found !== undefined) return ok({ transaction: withdrawal(found, now) });
  return notFound("Transação não encontrada.");
};

const FIRST_PAGE = 1;
const PAGE = /^[1-9]\d{0,5}$/;

/**
 * `GET /v1/transactions`, newest first, with the sales and withdrawals that the detail finds. Shape, paging and fields
 * are not documented (service.md 4.7): here a row has the main fields of the documented detail (2.3), `page` asks for a
 * page, and the settings choose the shape around the rows.
 */
export const transactionList = ({ merchant, now, query, settings }: ResourceRequest): Answer => {
  const { transactionPageSize: limit, transactionListShape: shape } = settings;
  const sales = merchant.sales.all(now).filter(({ origin }) => origin === "api");
  const rows = [
    ...sales.map(payment),
    ...merchant.withdrawals.map((each) => withdrawal(each, now)),
  ].toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  const asked = query.get("page") ?? "";
  const page = PAGE.test(asked) ? Number(asked) : FIRST_PAGE;
  const shown = rows.slice((page - 1) * limit, page * limit).map(row);
  const totalPages = Math.max(1, Math.ceil(rows.length / limit));
  if (shape === "root") return { status: 200, body: shown };
  if (shape === "unreadable") return ok({ page: { content: shown } });
  return ok({ [shape]: shown, pagination: { page, limit, total: rows.length, totalPages } });
};

type Detail = ReturnType<typeof payment> | ReturnType<typeof withdrawal>;

/** The detail without the payer and the PIX key. */
const row = ({ txid, amount, netAmount, fee, type, status, ...others }: Detail) => {
  const { paymentType, metadata, createdAt, updatedAt } = others;
  const money = { amount, netAmount, fee };
  return { txid, ...money, type, status, paymentType, metadata, createdAt, updatedAt };
};

const payment = (sale: Sale) => {
  const feeCents = paymentFeeCents(sale.amountCents);
  return {
    txid: sale.txid,
    ...amounts(sale.amountCents, feeCents),
    type: "payment",
    status: sale.status,
    paymentType: "link",
    metadata: { description: sale.product, redirectUrl: "https://lojaaurora.example/obrigado" },
    withdrawalInfo: null,
    // A pending charge has no payer yet: this sandbox's reading of service.md 2.3.
    ...(sale.status !== "pending" && {
      payer: {
        name: sale.payerName ?? "Pagador do sandbox",
        document: "***.482.917-**",
        bank: { name: "Banco Horizonte Azul S.A.", code: "091" },
        accountType: "checking",
      },
    }),
    createdAt: isoTime(sale.charge?.createdAt ?? sale.at.subtract({ seconds: APPROVAL_SECONDS })),
    updatedAt: isoTime(sale.refundedAt ?? sale.at),
  };
};

const withdrawal = (found: Withdrawal, now: Temporal.Instant) => {
  const feeCents = withdrawalFeeCents(found.turbo);
  const status = transactionStatus(found, now);
  const transferId = `trf_${found.txid.slice(-12)}`;
  const plan =
    found.scheduledFor === undefined
      ? { transferId }
      : { scheduledFor: isoTime(found.scheduledFor) };
  return {
    txid: found.txid,
    ...amounts(found.amountCents, feeCents),
    type: "withdrawal",
    status,
    paymentType: found.turbo ? "turbo" : "normal",
    metadata: found.turbo && status === "approved" ? { provider_id: transferId } : {},
    withdrawalInfo: { pixKey: found.pixKey, ...plan },
    createdAt: isoTime(found.requestedAt),
    updatedAt: isoTime(withdrawalUpdatedAt(found, now)),
  };
};

/** These statuses lack failed and cancelled: such a withdrawal keeps its earlier status. Source: service.md 2.3. */
const transactionStatus = (found: Withdrawal, now: Temporal.Instant): string => {
  const status = withdrawalStatus(found, now);
  if (status === "completed") return "approved";
  if (status === "failed") return "processing";
  return status === "cancelled" ? "scheduled" : status;
};
