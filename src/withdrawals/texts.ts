import { restored as enRestored } from "../ui/money-errors.en-US.ts";
import * as enWithdraw from "./withdraw.en-US.ts";
import * as enWithdrawals from "./withdrawals.en-US.ts";
import * as enRefund from "./refunds/refund.en-US.ts";
import * as ptRefund from "./refunds/refund.pt-BR.ts";
import { restored as ptRestored } from "../ui/money-errors.pt-BR.ts";
import * as ptWithdraw from "./withdraw.pt-BR.ts";
import * as ptWithdrawals from "./withdrawals.pt-BR.ts";
import { withUiTexts } from "../ui/texts.ts";

export const withdrawalTexts = withUiTexts(
  { ...ptWithdraw, ...ptRefund, ...ptWithdrawals, restored: ptRestored },
  { ...enWithdraw, ...enRefund, ...enWithdrawals, restored: enRestored },
);

export type WithdrawalTexts = ReturnType<typeof withdrawalTexts>;
