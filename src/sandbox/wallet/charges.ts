import { createHash } from "node:crypto";
import { generatePixPayload } from "@brazilian-utils/brazilian-utils/generate-pix-payload";
import {
  amounts,
  type Answer,
  failure,
  isoTime,
  notFound,
  ok,
  type ResourceRequest,
} from "./resource.ts";
import { paymentFeeCents, type Sale } from "./sale-ledger.ts";

/** Minutes until an unpaid charge expires: this sandbox's assumption. */
const MINUTES_TO_PAY = 30;
const LONGEST_DESCRIPTION = 200;

/**
 * `POST /v1/payment/create`. Its body and its answer are not documented (service.md 4.7): here the body is `amount` and
 * `description`, and the answer has a `payment` with the txid, a BR Code and the time until which it can be paid.
 */
export const createCharge = ({ merchant, body, now }: ResourceRequest): Answer => {
  const { amount, description } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const amountCents = typeof amount === "number" ? Math.round(amount * 100) : Number.NaN;
  if (!(amountCents > 0) || amount !== amountCents / 100)
    return failure(400, "Valor do pagamento inválido.");
  if (typeof description !== "string" || description.trim() === "")
    return failure(400, "A descrição é obrigatória.");
  if (description.length > LONGEST_DESCRIPTION) return failure(400, "Descrição longa demais.");
  const txid = createHash("sha256")
    .update(`${merchant.userId}|charge|${now.epochNanoseconds}|${merchant.sales.charges().length}`)
    .digest("hex")
    .slice(0, 24);
  const code = generatePixPayload({
    url: `pix.sandbox.example/qr/v2/${txid}`,
    merchantName: "Loja do sandbox",
    merchantCity: "Sao Paulo",
  });
  if (code === null) throw new Error("The sandbox made no BR Code");
  const expiresAt = now.add({ minutes: MINUTES_TO_PAY });
  const sale: Sale = {
    txid,
    origin: "api",
    amountCents,
    product: description,
    at: now,
    status: "pending",
    charge: { code, createdAt: now, expiresAt },
  };
  merchant.sales.add(sale);
  return ok({ message: "Pagamento criado.", payment: shown(sale, now) });
};

/** `GET /v1/payment/status/{txid}`. Its answer is not documented (service.md 4.7). */
export const chargeStatus = ({ merchant, id, now }: ResourceRequest): Answer => {
  const sale = merchant.sales.find(id, now);
  if (sale?.charge === undefined) return notFound("Pagamento não encontrado.");
  return ok({ payment: shown(sale, now) });
};

/** The status with its expiry, for which the documented detail has no word. */
export const chargeState = (sale: Sale, now: Temporal.Instant): Sale["status"] | "expired" => {
  const { status, charge } = sale;
  const isOver = charge !== undefined && Temporal.Instant.compare(charge.expiresAt, now) <= 0;
  return status === "pending" && isOver ? "expired" : status;
};

const shown = (sale: Sale, now: Temporal.Instant) => {
  const { code = "", expiresAt = sale.at } = sale.charge ?? {};
  const fee = paymentFeeCents(sale.amountCents);
  return {
    txid: sale.txid,
    status: chargeState(sale, now),
    ...amounts(sale.amountCents, fee),
    pixCopyPaste: code,
    qrCodeUrl: "http://127.0.0.1:9/qr.png",
    expiresAt: isoTime(expiresAt),
  };
};

export type LocalCharge = ReturnType<typeof localCharge>;

/** A payment through the API by now; one that is no charge has an empty code. */
export const localCharge = (sale: Sale, now: Temporal.Instant) => ({
  txid: sale.txid,
  amountCents: sale.amountCents,
  description: sale.product,
  code: sale.charge?.code ?? "",
  state: chargeState(sale, now),
});
