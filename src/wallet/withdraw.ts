import * as z from "zod";
import type {
  AcceptedWithdrawal,
  PixKeyCheck,
  SplitWithdrawRequest,
  WithdrawRequest,
} from "../withdrawals/withdrawal.ts";
import type { AcceptedForm, MoneyOperation, ParseResult, Send } from "./operation.ts";
import { isDiscordId, isWireId } from "../shared/ids.ts";
import { isSendable, optionalOrIgnored, readerOf, wireId, wireMoney, wireTime } from "./wire.ts";
import { camelKeys, type Fields, firstOf, isFields, placesBelow } from "./undocumented-list.ts";

/**
 * The withdrawal of an amount of the balance.
 *
 * AN ASSUMPTION: the document names this operation and shows neither its request nor its answer (service.md 4.7). By
 * analogy with the split withdrawal (2.1, 2.2) the request is `amount`, a JSON number in reais with at most two
 * decimals (1), `pixKey`, and `turbo`, always sent; the answer is read as that of the split withdrawal.
 */
export const withdrawal = ({
  amount,
  pixKey,
  turbo,
}: WithdrawRequest): MoneyOperation<AcceptedWithdrawal> => ({
  route: "/v1/withdraw",
  body:
    isSendable(amount) && pixKey.length > 0
      ? JSON.stringify({ amount: amount / 100, pixKey, turbo })
      : undefined,
  accepted: acceptedWithdrawal,
});

const isPossible = ({ recipientUserId, pixKey }: SplitWithdrawRequest): boolean =>
  isDiscordId(recipientUserId) && pixKey.length > 0;

/**
 * The withdrawal of a recipient's whole split balance. `turbo` is always sent: left out it means turbo. An impossible
 * recipient gives no body. Source: service.md 2.1, 2.2, 4.1.
 */
export const splitWithdrawal = (
  request: SplitWithdrawRequest,
): MoneyOperation<AcceptedWithdrawal> => {
  const { recipientUserId, pixKey, turbo } = request;
  const body = JSON.stringify({ recipientUserId, pixKey, turbo });
  return {
    route: "/v1/split/withdraw",
    body: isPossible(request) ? body : undefined,
    accepted: acceptedWithdrawal,
  };
};

/** Text that cannot be an id is not sent. The document says only that success is `success: true`. */
const byTxid =
  (route: string) =>
  (txid: string): MoneyOperation<undefined> => ({
    route,
    body: isWireId(txid) ? JSON.stringify({ txid }) : undefined,
    accepted: { read: () => ({ ok: true, value: undefined }), essence: () => undefined },
  });

/**
 * The cancellation of a scheduled withdrawal.
 *
 * AN ASSUMPTION: the document names this operation and shows neither its request nor its answer (service.md 3.1,
 * 4.7). The request names the withdrawal as every other operation does, by `txid`.
 */
export const withdrawalCancellation = byTxid("/v1/withdraw/cancel");

/**
 * The refund of a whole payment to its payer.
 *
 * AN ASSUMPTION: the document names this operation and shows neither its request nor its answer (service.md 4.7). The
 * request names the payment as every other operation does, by `txid`; success is `success: true`. The payment's own
 * status, which is documented (2.3), says whether it was refunded.
 */
export const refundPayment = byTxid("/v1/refund");

const money = optionalOrIgnored(wireMoney);

const PRINTABLE = /^\P{C}+$/u;

const wireAccepted = z
  .object({
    withdrawal: z.object({
      // Databases and people cannot keep unprintable characters: the withdrawal of such an id is found by reading.
      txid: wireId.regex(PRINTABLE),
      amount: money,
      netAmount: money,
      fee: money,
      pixKeyOwner: optionalOrIgnored(z.string()),
      estimatedProcessingAt: optionalOrIgnored(wireTime),
      previousSplitBalance: money,
      newSplitBalance: money,
    }),
  })
  .transform(({ withdrawal: wire }): AcceptedWithdrawal => ({
    txid: wire.txid,
    amount: wire.amount,
    fee: wire.fee,
    net: wire.netAmount,
    pixKeyOwner: wire.pixKeyOwner,
    estimatedProcessingAt: wire.estimatedProcessingAt,
    previousBalance: wire.previousSplitBalance,
    newBalance: wire.newSplitBalance,
  }));

/**
 * The withdrawal object of an accepted request. With a `txid` the money is on its way, even when other fields are
 * missing or of another type. Source: service.md 2.2.
 */
export const acceptedWithdrawal: AcceptedForm<AcceptedWithdrawal> = {
  read: readerOf(wireAccepted),
  essence: ({ txid }) => ({
    txid,
    amount: undefined,
    fee: undefined,
    net: undefined,
    pixKeyOwner: undefined,
    estimatedProcessingAt: undefined,
    previousBalance: undefined,
    newBalance: undefined,
  }),
};

const ROUTE = "/v1/pix/validate";

/** Names under which the answer's fields may stand, up to two levels below the root. */
const PLACES = ["data", "key", "owner", "pix", "pixKey", "result"];
const VALIDITY = ["valid", "isValid"];
const HOLDER = [
  "name",
  "ownerName",
  "holderName",
  "pixKeyOwner",
  "accountHolder",
  "owner",
  "holder",
];
const BANK = ["bankName", "bank"];

/**
 * Whether a key exists and who owns it, as far as the service says. It moves no money, but as a POST it is not
 * repeated.
 *
 * AN ASSUMPTION: the document names this operation and shows neither its request nor its answer (service.md 4.7). The
 * request is `pixKey`, named as in the split withdrawal; the answer is searched for fields of usual names.
 * @throws WalletError
 */
export const checkPixKey = (send: Send, pixKey: string): Promise<PixKeyCheck> =>
  send({
    method: "POST",
    route: ROUTE,
    path: ROUTE,
    body: JSON.stringify({ pixKey }),
    read,
    readRefusal,
    unshown: true,
    refusal: "refused",
  });

const booleanOf = (value: unknown): boolean | undefined =>
  typeof value === "boolean" ? value : undefined;

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

const checkIn = (answer: Fields): PixKeyCheck => {
  const root = [camelKeys(answer)].filter(isFields);
  const below = root.flatMap((place) => placesBelow(place, PLACES));
  const places = [...root, ...below, ...below.flatMap((place) => placesBelow(place, PLACES))];
  return {
    valid: firstOf(places, VALIDITY, booleanOf)?.value,
    holderName: firstOf(places, HOLDER, textOf)?.value,
    bankName: firstOf(places, BANK, textOf)?.value,
  };
};

const read = (answer: object): ParseResult<PixKeyCheck> =>
  isFields(answer)
    ? { ok: true, value: checkIn(answer) }
    : { ok: false, problems: ["body is no object"] };

/**
 * A refusal means an unknown key only when its body says so. Any other may concern the request, whose shape is assumed:
 * a 400 is also for a malformed body, and "invalid key for the stated type" (service.md 7.1) is said of a type that we
 * do not send.
 */
const readRefusal = (answer: object): PixKeyCheck | undefined =>
  isFields(answer) && checkIn(answer).valid === false
    ? { valid: false, holderName: undefined, bankName: undefined }
    : undefined;
