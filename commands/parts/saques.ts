import type { ActionInput, Invocation } from "#src/discord/command.ts";
import { DIRECT_MESSAGE } from "#src/discord/interaction.ts";
import { readOpCode } from "#src/domain/withdraw-op.ts";
import { isWireId } from "#src/domain/ids.ts";
import type { WithdrawalDetail } from "#src/domain/withdraw-facts.ts";
import type { Services } from "#src/services/services.ts";
import { UserError } from "#src/shared/errors.ts";
import type { Reply } from "#src/views/reply.ts";
import { receiptView, withdrawalDetailView } from "#src/views/money/withdrawal-detail.ts";
import {
  statesOf,
  type WithdrawalFilter,
  withdrawalFilters,
  withdrawalListView,
} from "#src/views/money/withdrawal-list.ts";
import { option } from "./definition.ts";

const LONGEST_ID = 100;

export const txidOption = {
  ...option("string", "txid", ({ saques }) => saques.txid),
  autocomplete: true,
  max_length: LONGEST_ID,
} as const;

/** @throws UserError outdated_component */
export const filterOf = ({ values: [value] }: ActionInput): WithdrawalFilter => {
  const filter = withdrawalFilters.find((each) => each === value);
  if (filter === undefined) throw new UserError({ kind: "outdated_component" });
  return filter;
};

/** An operation's code or a txid that a component carried. @throws UserError outdated_component */
export const withdrawalIdOf = (id: string | undefined): string => {
  if (id === undefined || !isWireId(id)) throw new UserError({ kind: "outdated_component" });
  return id;
};

/** @throws UserError outdated_component */
export const opCodeOf = ({ argument }: ActionInput): string => {
  const code = readOpCode(argument);
  if (code === undefined) throw new UserError({ kind: "outdated_component" });
  return code;
};

const QUESTION_NAME = /^[0-9a-f]{10}$/;

/** The name of a question about a restored database. @throws UserError outdated_component */
export const questionNameOf = ({ argument }: ActionInput): string => {
  if (!QUESTION_NAME.test(argument)) throw new UserError({ kind: "outdated_component" });
  return argument;
};

export const listReply = async (
  filter: WithdrawalFilter,
  invocation: Invocation,
  { withdrawals }: Services,
): Promise<Reply> => {
  const list = await withdrawals.list(invocation, statesOf(filter));
  return withdrawalListView({ ...list, filter, locale: invocation.locale });
};

const shownDetail = (detail: WithdrawalDetail, { guildId, locale }: Invocation): Reply =>
  withdrawalDetailView({ ...detail, inGuild: guildId !== "", locale });

/** @throws UserError withdrawal_not_found, not_connected */
export const detailReply = async (
  id: string,
  invocation: Invocation,
  { withdrawals }: Services,
): Promise<Reply> => {
  const detail = await withdrawals.detail(invocation, id);
  return shownDetail(detail, invocation);
};

/** The receipt alone; when the service cannot be read now, the detail, which says so. */
export const receiptReply = async (
  id: string,
  invocation: Invocation,
  { withdrawals, accounts }: Services,
): Promise<Reply> => {
  // An operation is its owner's wherever they are; what they withdrew elsewhere is read with their connection.
  const isElsewhere = invocation.guildId === DIRECT_MESSAGE && readOpCode(id) === undefined;
  const guildId = isElsewhere
    ? await accounts.guildOf(invocation.userId, invocation.chosenGuildId)
    : invocation.guildId;
  const detail = await withdrawals.detail({ ...invocation, guildId }, id);
  const { op, withdrawal, readAt } = detail;
  return withdrawal === undefined
    ? shownDetail(detail, invocation)
    : receiptView({ op, withdrawal, readAt, locale: invocation.locale });
};
