import {
  action,
  type ActionInput,
  defineCommand,
  handler,
  type Invocation,
} from "#src/discord/command.ts";
import { UserError } from "#src/shared/errors.ts";
import { isPlainId } from "#src/shared/ids.ts";
import { named } from "#src/texts.ts";
import type { Services } from "#src/services.ts";
import { LONGEST_TYPED, parsePeriod, readablePeriod } from "#src/reports/typed-period.ts";
import { hasBegun } from "#src/reports/sales-period.ts";
import { begunPeriodSuggestions } from "#src/reports/sales-period.view.ts";
import {
  type TransactionFilter,
  transactionFilters,
  type WantedTransactions,
} from "#src/transactions/transaction-list.ts";
import {
  EVERY_DAY,
  saleChosenView,
  transactionChoices,
  transactionDetailView,
  transactionListView,
} from "#src/transactions/transactions.view.ts";
import type { Reply } from "#src/ui/reply.ts";
import { chosenId, chosenOf, outdated, typedBy } from "./component-input.ts";
import { command, LONGEST_TYPED_ID, option, suggested } from "./definition.ts";

const PAGE = /^([a-z]+)\.([\w/-]+)\.(\d{1,4})$/;

const filterOf = (value: string | undefined): TransactionFilter | undefined =>
  transactionFilters.find((each) => each === value);

/** @throws UserError outdated_component */
const periodIn = (code: string, { createdAt }: Invocation): WantedTransactions["period"] =>
  code === EVERY_DAY ? undefined : (readablePeriod(code, createdAt) ?? outdated());

/** @throws UserError outdated_component */
const chosenFilter = (input: ActionInput, invocation: Invocation): WantedTransactions => ({
  filter: chosenOf(transactionFilters)(input),
  period: periodIn(input.argument, invocation),
  page: 0,
});

/** @throws UserError outdated_component */
const pageOf = ({ argument }: ActionInput, invocation: Invocation): WantedTransactions => {
  const [, filter, period = "", page] = PAGE.exec(argument) ?? [];
  return {
    filter: filterOf(filter) ?? outdated(),
    period: periodIn(period, invocation),
    page: Number(page),
  };
};

/** @throws UserError outdated_component */
const txidOf = ({ argument }: ActionInput): string => (isPlainId(argument) ? argument : outdated());

const listReply =
  (again: boolean) =>
  async (
    wanted: WantedTransactions,
    invocation: Invocation,
    { transactions }: Services,
  ): Promise<Reply> =>
    transactionListView(await transactions.list(invocation, wanted, again), invocation.locale);

/** @throws UserError transaction_not_found, txid_unreadable, not_connected */
const detailReply = async (
  txid: string,
  invocation: Invocation,
  { transactions, withdrawals: { refundEnabled } }: Services,
): Promise<Reply> => {
  const detail = await transactions.detail(invocation, txid);
  return transactionDetailView({ ...detail, refundEnabled, locale: invocation.locale });
};

/** A direct message stands for one server of the account, and the message to keep may be in another. */
const serversOfEvidence = async (
  { guildId, userId, fromDirectMessage }: Invocation,
  { accounts }: Services,
): Promise<readonly string[]> => {
  if (fromDirectMessage !== true) return [guildId];
  const owned = await accounts.accountsOf(userId);
  const here = owned.find((each) => each.guildId === guildId);
  return owned.filter(({ watchId }) => watchId === here?.watchId).map((each) => each.guildId);
};

const FIRST_PAGE: WantedTransactions = { filter: "all", period: undefined, page: 0 };

/** @throws UserError invalid_period, period_too_long, future_date */
const typedPeriod = (given = "", { createdAt }: Invocation): WantedTransactions["period"] => {
  if (given.trim() === "") return undefined;
  const period = parsePeriod(given, createdAt);
  if (!hasBegun(period, createdAt)) throw new UserError({ kind: "future_date", given });
  return period;
};

export const transacoes = defineCommand({
  inDirectMessages: "as_owner",
  definition: command("transacoes", ({ transacoes }) => transacoes.self, [
    suggested("txid", ({ transacoes }) => transacoes.txid, LONGEST_TYPED_ID),
    {
      ...option("string", "estado", ({ transacoes }) => transacoes.estado),
      choices: transactionFilters.map((value) => ({
        ...named(({ transactions }) => transactions.filters[value]),
        value,
      })),
    },
    suggested("periodo", ({ transacoes }) => transacoes.periodo, LONGEST_TYPED),
  ]),
  handlers: handler({
    kind: "read",
    parse: (options, invocation) => ({
      txid: (options.string("txid") ?? "").trim(),
      wanted: {
        filter: filterOf(options.string("estado")) ?? "all",
        period: typedPeriod(options.string("periodo"), invocation),
        page: 0,
      },
    }),
    run: async ({ txid, wanted }, invocation, services) =>
      txid === ""
        ? await listReply(false)(wanted, invocation, services)
        : await detailReply(txid, invocation, services),
  }),
  actions: {
    lista: action({
      kind: "read",
      answers: "update",
      parse: () => FIRST_PAGE,
      run: listReply(false),
    }),
    filtro: action({ kind: "read", answers: "update", parse: chosenFilter, run: listReply(false) }),
    pagina: action({ kind: "read", answers: "update", parse: pageOf, run: listReply(true) }),
    abrir: action({ kind: "read", answers: "update", parse: chosenId, run: detailReply }),
    prova: action({
      kind: "read",
      answers: "new",
      parse: txidOf,
      run: async (txid, invocation, services) => {
        for (const guildId of await serversOfEvidence(invocation, services))
          services.transactions.choose({ ...invocation, guildId }, txid);
        return saleChosenView(txid, invocation.locale);
      },
    }),
  },
  autocomplete: async ({ option: name, text }, invocation, services) =>
    name === "periodo"
      ? begunPeriodSuggestions(text, invocation.createdAt, invocation.locale)
      : transactionChoices(
          await services.transactions.suggest(await typedBy(invocation, services), text, "all"),
          invocation.locale,
        ),
});
