import type { Transaction } from "#src/transactions/transaction.ts";
import type { RefundConfirmation, WithdrawStatus } from "#src/withdrawals/withdraw-facts.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { actor, BRUNO, connect, type MoneyStage, openMoneyStage } from "../money-stage.ts";
import { samplePayment } from "../../transactions/transaction-samples.ts";
import { LOST, REFUSED } from "../plain-wallet.ts";

export const SALE = "a41f07c98e2d4b6391d05c7f";

export const sale = (changes: Partial<Transaction> = {}): Transaction => {
  const createdAt = Temporal.Instant.from("2026-11-19T15:00Z");
  const amounts = { amount: cents(7_990), fee: cents(479), net: cents(7_511) };
  return samplePayment({ ...amounts, createdAt, updatedAt: createdAt, ...changes });
};

export const sold = async (changes: Partial<Transaction> = {}): Promise<MoneyStage> => {
  const stage = await openMoneyStage();
  stage.payments.set(SALE, sale(changes));
  return stage;
};

export const ask = (
  { money }: Pick<MoneyStage, "money">,
  by = actor(),
  txid = SALE,
): Promise<RefundConfirmation> => money.withdrawals.prepareRefund(by, txid);

export const confirm = async (
  { money }: Pick<MoneyStage, "money">,
  { token }: RefundConfirmation,
  by = actor(),
  pin?: Secret,
): Promise<WithdrawStatus> => {
  const answer = await money.withdrawals.confirm(by, token, pin);
  if (answer.kind !== "status") throw new Error("A further question came");
  return answer;
};

export const refunded = async (stage: Pick<MoneyStage, "money">): Promise<WithdrawStatus> =>
  await confirm(stage, await ask(stage));

/** A refund that the service refuses in its documented envelope. */
export const denied = async (stage: MoneyStage): Promise<WithdrawStatus> => {
  Object.assign(stage, { answer: REFUSED, works: false });
  return await refunded(stage);
};

export const refunds = ({ sent }: MoneyStage) => sent.filter((each) => "refunded" in each);

export const lose = (stage: MoneyStage, works: boolean): void => {
  stage.answer = LOST as never;
  stage.works = works;
};

export const answerAgain = (stage: MoneyStage): void => {
  stage.answer = undefined;
  stage.works = true;
};

/** Bruno has another key of Ana's wallet account, in the same database. */
export const bruno = async (stage: MoneyStage) => {
  await connect(stage, { ownerId: BRUNO }, new Secret("sk_sandbox_ana_second_2b71c0"));
  return actor({ userId: BRUNO });
};
