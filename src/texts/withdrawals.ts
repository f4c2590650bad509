import { restored as enRestored } from "../ui/money-errors.en-US.ts";
import * as enWithdraw from "./en-US/withdraw.ts";
import * as enWithdrawals from "./en-US/withdrawals.ts";
import { restored as ptRestored } from "../ui/money-errors.pt-BR.ts";
import * as ptWithdraw from "./pt-BR/withdraw.ts";
import * as ptWithdrawals from "./pt-BR/withdrawals.ts";
import { withUiTexts } from "../ui/texts.ts";

export const withdrawalTexts = withUiTexts(
  { ...ptWithdraw, ...ptWithdrawals, restored: ptRestored },
  { ...enWithdraw, ...enWithdrawals, restored: enRestored },
);

export type WithdrawalTexts = ReturnType<typeof withdrawalTexts>;
