import {
  type Action,
  action,
  type ActionInput,
  defineCommand,
  handler,
  type Invocation,
} from "#src/discord/command.ts";
import { receiptPage, receiptView } from "#src/withdrawals/receipt.view.ts";
import { DIRECT_MESSAGE } from "#src/discord/interaction.ts";
import { isQuestionId } from "#src/shared/ids.ts";
import { readOpCode, type WithdrawOp } from "#src/withdrawals/withdraw-op.ts";
import type { WithdrawalDetail, WithdrawStatus } from "#src/withdrawals/withdraw-facts.ts";
import type { Services } from "#src/services.ts";
import type { Reply } from "#src/ui/reply.ts";
import {
  CODE_FIELD,
  decisionModal,
  withdrawalDetailView,
  withdrawalSummaryView,
} from "#src/withdrawals/withdrawal-detail.view.ts";
import {
  statesOf,
  withdrawalChoices,
  type WithdrawalFilter,
  withdrawalFilters,
  withdrawalListView,
} from "#src/withdrawals/withdrawal-list.view.ts";
import {
  decidedForAnotherView,
  withdrawStatusView,
} from "#src/withdrawals/withdraw-status.view.ts";
import { cancelConfirmationView } from "#src/withdrawals/withdraw-confirmation.view.ts";
import { restoreAcknowledgedView } from "#src/withdrawals/restore/restore-question.view.ts";
import { withdrawalTexts } from "#src/withdrawals/texts.ts";
import { chosenId, chosenOf, outdated, typedBy, wireIdOf } from "./component-input.ts";
import { command, LONGEST_TYPED_ID, suggested } from "./definition.ts";

/** @throws UserError outdated_component */
const opCodeOf = ({ argument }: ActionInput): string => readOpCode(argument) ?? outdated();

/** Id of a question about a restored database. @throws UserError outdated_component */
const answeredQuestion = ({ argument }: ActionInput): string =>
  isQuestionId(argument) ? argument : outdated();

const listReply = async (
  filter: WithdrawalFilter,
  invocation: Invocation,
  { withdrawals }: Services,
): Promise<Reply> => {
  const list = await withdrawals.list(invocation, statesOf(filter));
  return withdrawalListView({ ...list, filter, locale: invocation.locale });
};

/** Codes open operations of all the person's accounts: the chosen key must not stand above those of another one. */
const marked = async (
  shown: Reply,
  op: WithdrawOp | undefined,
  { userId, chosenGuildId, locale }: Invocation,
  { accounts }: Services,
): Promise<Reply> => {
  if (chosenGuildId === undefined || op === undefined) return shown;
  const owned = await accounts.accountsOf(userId);
  const chosen = owned.find(({ guildId }) => guildId === chosenGuildId);
  if (chosen === undefined || chosen.accountFp === op.accountFp) return shown;
  return { ...shown, content: withdrawalTexts(locale).withdrawals.notOfChosen };
};

/** One's own withdrawal in short, or in full; one made elsewhere in full, as the service has no more of it. */
const shownDetail = async (
  detail: WithdrawalDetail,
  isFull: boolean,
  invocation: Invocation,
  services: Services,
): Promise<Reply> => {
  const { guildId, locale } = invocation;
  const { op } = detail;
  const facts = { ...detail, hasGuild: guildId !== DIRECT_MESSAGE, locale };
  const shown =
    isFull || op === undefined
      ? withdrawalDetailView(facts)
      : withdrawalSummaryView({ ...facts, op });
  return await marked(shown, op, invocation, services);
};

/** @throws UserError withdrawal_not_found, not_connected */
const detailReply = async (
  id: string,
  invocation: Invocation,
  services: Services,
): Promise<Reply> => {
  const detail = await services.withdrawals.detail(invocation, id);
  return await shownDetail(detail, false, invocation, services);
};

/** An operation is found by its owner, in any place; one made elsewhere is read with a server's connection. */
const readAnywhere = async (
  id: string,
  invocation: Invocation,
  { withdrawals, accounts }: Services,
): Promise<WithdrawalDetail> => {
  const isElsewhere = invocation.guildId === DIRECT_MESSAGE && readOpCode(id) === undefined;
  const guildId = isElsewhere
    ? await accounts.guildOf(invocation.userId, invocation.chosenGuildId)
    : invocation.guildId;
  return await withdrawals.detail({ ...invocation, guildId }, id);
};

/** The same withdrawal with all that the service and the journal say. */
const fullReply = async (
  id: string,
  invocation: Invocation,
  services: Services,
): Promise<Reply> => {
  const detail = await readAnywhere(id, invocation, services);
  return await shownDetail(detail, true, invocation, services);
};

/** The receipt alone, or the summary with the reason why there is no receipt. */
const receiptReply = async (
  id: string,
  invocation: Invocation,
  services: Services,
): Promise<Reply> => {
  const detail = await readAnywhere(id, invocation, services);
  const { op, withdrawal, readAt } = detail;
  // An ended withdrawal is not even asked for where its owner has no key of the account.
  const withoutKey = detail.problem === undefined;
  if (withdrawal === undefined)
    return await shownDetail({ ...detail, withoutKey }, false, invocation, services);
  const facts = { op, withdrawal, readAt, locale: invocation.locale };
  const shown = receiptView(facts, await services.print.page(receiptPage(facts)));
  return await marked(shown, op, invocation, services);
};

/** No reading stands between a decision and its answer: the status tells whether it is of another account. */
const statusReply = (
  status: WithdrawStatus,
  { guildId, chosenGuildId, locale }: Invocation,
): Reply => ({
  ...withdrawStatusView(status, locale, guildId !== DIRECT_MESSAGE),
  ...(chosenGuildId !== undefined &&
    status.isElsewhere === true && { content: withdrawalTexts(locale).withdrawals.notOfChosen }),
});

/** Opens the form that asks for the operation's code, as a confirmation of the owner's decision. */
const askDecision = (happened: boolean): Action =>
  action({
    kind: "modal",
    answers: "new",
    inDirectMessages: true,
    parse: opCodeOf,
    run: async (opId, invocation, { withdrawals }) =>
      decisionModal(await withdrawals.toDecide(invocation, opId), happened, invocation.locale),
  });

/** Records the owner's decision on an operation that reads could not settle. */
const decide = (happened: boolean): Action =>
  action({
    kind: "write",
    answers: "update",
    inDirectMessages: true,
    parse: (input) => ({ opId: opCodeOf(input), typedCode: input.fields.get(CODE_FIELD) ?? "" }),
    run: async (typed, invocation, { withdrawals }) => {
      const { userId, locale } = invocation;
      const status = await withdrawals.decide({ ...typed, actor: invocation, happened });
      return status.op.ownerId === userId
        ? statusReply(status, invocation)
        : decidedForAnotherView(status.op, locale);
    },
  });

export const saques = defineCommand({
  inDirectMessages: "as_owner",
  definition: command("saques", ({ saques }) => saques.self, [
    suggested("txid", ({ saques }) => saques.txid, LONGEST_TYPED_ID),
  ]),
  handlers: handler({
    kind: "read",
    parse: (options) => (options.string("txid") ?? "").trim(),
    run: async (id, invocation, services) =>
      id === ""
        ? await listReply("all", invocation, services)
        : await detailReply(id, invocation, services),
  }),
  actions: {
    lista: action({ kind: "read", answers: "update", parse: () => "all" as const, run: listReply }),
    todos: action({ kind: "read", answers: "new", parse: () => "all" as const, run: listReply }),
    filtro: action({
      kind: "read",
      answers: "update",
      parse: chosenOf(withdrawalFilters),
      run: listReply,
    }),
    ver: action({ kind: "read", answers: "update", parse: chosenId, run: detailReply }),
    status: action({
      kind: "read",
      answers: "new",
      inDirectMessages: true,
      parse: opCodeOf,
      run: detailReply,
    }),
    detalhes: action({
      kind: "read",
      answers: "update",
      inDirectMessages: true,
      parse: ({ argument }) => wireIdOf(argument),
      run: fullReply,
    }),
    recibo: action({
      kind: "read",
      answers: "new",
      inDirectMessages: true,
      parse: ({ argument }) => wireIdOf(argument),
      run: receiptReply,
    }),
    verificar: action({
      kind: "write",
      answers: "update",
      inDirectMessages: true,
      parse: opCodeOf,
      run: async (opId, invocation, { withdrawals }) =>
        statusReply(await withdrawals.check(invocation, opId), invocation),
    }),
    cancelar: action({
      kind: "write",
      answers: "new",
      parse: ({ argument }) => wireIdOf(argument),
      run: async (id, invocation, { withdrawals }) =>
        cancelConfirmationView(await withdrawals.prepareCancel(invocation, id), invocation.locale),
    }),
    conferi: action({
      kind: "write",
      answers: "new",
      inDirectMessages: true,
      parse: answeredQuestion,
      run: async (answerId, invocation, { withdrawals }) => {
        await withdrawals.acknowledgeRestore(invocation, answerId);
        return restoreAcknowledgedView(invocation.locale);
      },
    }),
    aconteceu: askDecision(true),
    "nao-aconteceu": askDecision(false),
    "decidir-sim": decide(true),
    "decidir-nao": decide(false),
  },
  autocomplete: async ({ text }, invocation, services) =>
    withdrawalChoices(
      await services.withdrawals.suggestWithdrawals(await typedBy(invocation, services), text),
      invocation.locale,
    ),
});
