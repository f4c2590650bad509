import type { APIApplicationCommandBasicOption } from "discord-api-types/v10";
import {
  action,
  type ActionInput,
  defineCommand,
  handler,
  type Invocation,
} from "#src/discord/command.ts";
import { isPlainId, isWireId } from "#src/shared/ids.ts";
import { named } from "#src/texts.ts";
import type { Services } from "#src/services.ts";
import {
  parsePeriod,
  periodOfCode,
  periodWords,
  type TransactionFilter,
  transactionFilters,
  type WantedTransactions,
} from "#src/transactions/transaction-list.ts";
import {
  saleChosenView,
  transactionChoices,
  transactionDetailView,
  transactionListView,
} from "#src/transactions/transactions.view.ts";
import type { Reply } from "#src/ui/reply.ts";
import { outdated } from "./component-input.ts";
import { command, LONGEST_TYPED_ID, option } from "./definition.ts";

const PAGE = /^([a-z]+)\.([\w-]+)\.(\d{1,4})$/;
const LONGEST_PERIOD = 30;

const transacoesOptions: APIApplicationCommandBasicOption[] = [
  {
    ...option("string", "txid", ({ transacoes }) => transacoes.txid),
    autocomplete: true,
    max_length: LONGEST_TYPED_ID,
  },
  {
    ...option("string", "estado", ({ transacoes }) => transacoes.estado),
    choices: transactionFilters.map((value) => ({
      ...named(({ transactions }) => transactions.filters[value]),
      value,
    })),
  },
  {
    ...option("string", "periodo", ({ transacoes }) => transacoes.periodo),
    autocomplete: true,
    max_length: LONGEST_PERIOD,
  },
];

const filterOf = (value: string | undefined): TransactionFilter | undefined =>
  transactionFilters.find((each) => each === value);

/** @throws UserError outdated_component */
const periodIn = (code: string): WantedTransactions["period"] => {
  const period = periodOfCode(code);
  return period === "invalid" ? outdated() : period;
};

/** @throws UserError outdated_component */
const chosenFilter = ({ argument, values: [value] }: ActionInput): WantedTransactions => ({
  filter: filterOf(value) ?? outdated(),
  period: periodIn(argument),
  page: 0,
});

/** @throws UserError outdated_component */
const pageOf = ({ argument }: ActionInput): WantedTransactions => {
  const [, filter, period = "", page] = PAGE.exec(argument) ?? [];
  return { filter: filterOf(filter) ?? outdated(), period: periodIn(period), page: Number(page) };
};

/** @throws UserError outdated_component */
const chosenTxid = ({ values: [txid] }: ActionInput): string =>
  txid !== undefined && isWireId(txid) ? txid : outdated();

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
  { transactions }: Services,
): Promise<Reply> => {
  const detail = await transactions.detail(invocation, txid);
  return transactionDetailView({ ...detail, refundable: false, locale: invocation.locale });
};

const FIRST_PAGE: WantedTransactions = { filter: "all", period: undefined, page: 0 };

/** Periods whose words contain the typed ones; another period is typed in full. */
const periodChoices = (typed: string, { locale }: Invocation) => {
  const words = Object.values(periodWords).map((each) => each[locale]);
  const found = words.filter((each) => each.includes(typed.trim().toLowerCase()));
  return found.map((name) => ({ name, value: name }));
};

export const transacoes = defineCommand({
  inDirectMessages: "as_owner",
  definition: command("transacoes", ({ transacoes }) => transacoes.self, transacoesOptions),
  handlers: handler({
    kind: "read",
    parse: (options, { createdAt }) => ({
      txid: (options.string("txid") ?? "").trim(),
      wanted: {
        filter: filterOf(options.string("estado")) ?? "all",
        period: parsePeriod(options.string("periodo"), createdAt),
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
      run: listReply(true),
    }),
    filtro: action({ kind: "read", answers: "update", parse: chosenFilter, run: listReply(true) }),
    pagina: action({ kind: "read", answers: "update", parse: pageOf, run: listReply(true) }),
    abrir: action({ kind: "read", answers: "update", parse: chosenTxid, run: detailReply }),
    prova: action({
      kind: "read",
      answers: "new",
      parse: txidOf,
      run: (txid, invocation, { transactions }) => {
        transactions.choose(invocation, txid);
        return saleChosenView(txid, invocation.locale);
      },
    }),
  },
  autocomplete: async ({ option: name, text }, invocation, { transactions }) =>
    name === "periodo"
      ? periodChoices(text, invocation)
      : transactionChoices(await transactions.suggest(invocation, text, "all"), invocation.locale),
});
