import * as z from "zod";
import {
  type Balance,
  isOpenStatus,
  type ListedWithdrawal,
  type Withdrawal,
  type WithdrawalPage,
} from "../withdrawals/withdrawal.ts";
import { keepEach } from "../shared/keep-newest.ts";
import { cents } from "../shared/money.ts";
import {
  type AnswerFacts,
  type ParseResult,
  resourceRead,
  routeRead,
  type Send,
} from "./operation.ts";
import { arraysOf, camelKeys, listedTime, readInTurns } from "./undocumented-list.ts";
import {
  optionalOrIgnored,
  orNull,
  readAs,
  readerOf,
  wireAmount,
  wireEnum,
  wireInstant,
  wireMoney,
  wirePathId,
  wireText,
  wireWord,
} from "./wire.ts";

/** Names under which the array may stand, at the root or one level below it. */
const PLACES = ["withdrawals", "data", "items", "results"];

/** A list may write an amount that went out as a negative one. */
const listedAmount = optionalOrIgnored(wireAmount.transform((amount) => cents(Math.abs(amount))));

const wireItem = z
  .object({
    txid: z.unknown().optional(),
    id: z.unknown().optional(),
    requestedAt: listedTime,
    createdAt: listedTime,
    amount: listedAmount,
    status: optionalOrIgnored(
      wireWord(["scheduled", "processing", "completed", "failed", "cancelled"]),
    ),
  })
  .transform(({ txid, id, requestedAt, createdAt, amount, status }, context): ListedWithdrawal => {
    const given = wirePathId.safeParse(typeof txid === "string" ? txid : id);
    if (given.success) {
      return { txid: given.data, requestedAt: requestedAt ?? createdAt, amount, status };
    }
    context.addIssue("No identifier");
    return z.NEVER;
  });

const itemOf = (row: unknown): ListedWithdrawal | undefined => readAs(wireItem)(camelKeys(row));

/** Each withdrawal once, as sums count rows. Of two rows, the one with an end tells the later state. */
const eachOnce = (items: readonly ListedWithdrawal[]): readonly ListedWithdrawal[] => {
  const isLater = (_: ListedWithdrawal, before: ListedWithdrawal): boolean =>
    isOpenStatus(before.status);
  return [...keepEach(new Map<string, ListedWithdrawal>(), items, "txid", isLater).values()];
};

const readPage = async (
  answer: object,
  { skewMs }: AnswerFacts,
): Promise<ParseResult<WithdrawalPage>> => {
  const arrays = arraysOf(answer, PLACES);
  const [only] = arrays;
  // Of two arrays, the wrong one might be taken for the list.
  if (only === undefined || arrays.length > 1) {
    return { ok: false, problems: [`${arrays.length} arrays where one list was expected`] };
  }
  const read = await readInTurns(only, itemOf);
  const items = read.filter((item) => item !== undefined);
  const unread = read.length - items.length;
  return unread === 0
    ? { ok: true, value: { items: eachOnce(items), skewMs } }
    : { ok: false, problems: [`no id in ${unread} items`] };
};

/**
 * One page of the account's withdrawals, in the service's length and order.
 *
 * AN ASSUMPTION: the document names this operation, says that ids are obtained from it (service.md 4.3) and shows no
 * shape (4.7). The array is the root or stands under a usual name, and each item must have an id. An item without an
 * id may be the very withdrawal that is searched for, so it makes the whole page unreadable.
 * @throws WalletError
 */
export const getWithdrawals = (send: Send): Promise<WithdrawalPage> =>
  send({
    ...routeRead("/v1/withdrawals"),
    read: readPage,
    unshown: true,
    fresh: true,
  });

const wireWithdrawal = z.object({
  txid: wirePathId,
  amount: wireMoney,
  netAmount: wireMoney,
  fee: wireMoney,
  status: wireEnum<"scheduled" | "processing" | "completed" | "failed" | "cancelled">(),
  paymentType: wireEnum<"normal" | "turbo">(),
  pixKey: z.string(),
  pixKeyType: wireEnum<"CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP">(),
  bankName: wireText,
  accountHolder: wireText,
  transferId: wireText,
  isTurbo: z.boolean(),
  requestedAt: wireInstant,
  scheduledFor: orNull(wireInstant),
  completedAt: orNull(wireInstant),
  failedAt: orNull(wireInstant),
  failReason: wireText,
  metadata: optionalOrIgnored(
    z.object({
      error_code: wireText,
      provider_transfer_id: wireText,
      provider_batch_id: wireText,
      frozenBalance: optionalOrIgnored(wireMoney),
      balanceAlreadyDeducted: optionalOrIgnored(z.boolean()),
    }),
  ),
  createdAt: wireInstant,
  updatedAt: wireInstant,
});

const wireProcessor = z.object({ provider: wireText, status: wireText, lastStatus: wireText });

const wireDetail = z
  .object({ withdrawal: wireWithdrawal, transferStatus: optionalOrIgnored(wireProcessor) })
  .transform(({ withdrawal, transferStatus }): Withdrawal => {
    const { netAmount, paymentType, metadata, ...same } = withdrawal;
    const processor = transferStatus && {
      name: transferStatus.provider,
      status: transferStatus.status,
      lastStatus: transferStatus.lastStatus,
    };
    return {
      ...same,
      net: netAmount,
      modality: paymentType,
      errorCode: metadata?.error_code,
      providerTransferId: metadata?.provider_transfer_id,
      providerBatchId: metadata?.provider_batch_id,
      frozenBalance: metadata?.frozenBalance,
      balanceDeducted: metadata?.balanceAlreadyDeducted,
      processor,
    };
  });

const readDetail = readerOf(wireDetail);

/**
 * The current state of a withdrawal, a failed one included. A withdrawal of another account reads as a missing one.
 * Source: service.md 2.4, 4.3.
 * @throws WalletError; `not_found`, and `invalid_request` for text that cannot be an id
 */
export const getWithdrawal = async (send: Send, txid: string): Promise<Withdrawal> =>
  send({
    ...resourceRead("/v1/withdrawals/{txid}", txid),
    read: readDetail,
    fresh: true,
  });

const wireBalance = z
  .object({ balance: z.object({ available: wireAmount }) })
  .transform(({ balance }): Balance => balance);

const readBalance = readerOf(wireBalance);

/**
 * The balance that can be withdrawn. The document shows `balance.available` without its type: a number, as amounts
 * are, or a decimal string, as in the refusals of withdrawals. Source: service.md 4.7.
 * @throws WalletError
 */
export const getBalance = (send: Send): Promise<Balance> =>
  send({
    ...routeRead("/v1/balance"),
    read: readBalance,
    unshown: true,
    fresh: true,
  });
