import { action, defineCommand, handler, type Invocation } from "#src/discord/command.ts";
import { goalProgress } from "#src/goals/goal.ts";
import { goalInPeriod } from "#src/goals/goal.view.ts";
import {
  isToday,
  justClosedDay,
  openReportDay,
  parseReportDay,
  todayOf,
} from "#src/shared/report-day.ts";
import {
  lastDays,
  monthOf,
  type PeriodReading,
  type SalesPeriod,
} from "#src/reports/sales-period.ts";
import { LONGEST_TYPED, parsePeriod } from "#src/reports/typed-period.ts";
import type { Services } from "#src/services.ts";
import type { Reply } from "#src/ui/reply.ts";
import { balanceView } from "#src/balance/balance.view.ts";
import { settled, valueOf } from "#src/shared/settled.ts";
import { awaitingLine } from "#src/disputes/dispute-list.view.ts";
import { ownDayView } from "#src/reports/daily-report.view.ts";
import {
  brasiliaDayView,
  daySuggestions,
  periodSuggestions,
  salesPeriodView,
  withoutDate,
} from "#src/reports/sales-period.view.ts";
import { salesChart } from "#src/reports/period-chart.view.ts";
import { UserError } from "#src/shared/errors.ts";
import { accountingFilesReply } from "./accounting-files.ts";
import { namingKeys } from "./component-input.ts";
import { command, suggested } from "./definition.ts";

const LONGEST_DATE = 20;

/**
 * Sales of a day; undefined: of today. In the hours after a close, the closed day stands above the open one then: a seller
 * calls both today.
 */
const salesReply = async (
  day: Temporal.PlainDate | undefined,
  { guildId, userId, locale, createdAt }: Invocation,
  { sales }: Services,
): Promise<Reply> => {
  const open = openReportDay(createdAt);
  const closed = day === undefined ? justClosedDay(createdAt) : undefined;
  const reading =
    closed === undefined
      ? await sales.day(guildId, userId, day ?? open)
      : await sales.day(guildId, userId, closed, open);
  // A picture of one day would only repeat the text.
  return salesPeriodView(reading, locale);
};

/**
 * The seller's goal, beside the sales of the present month: in a direct message that of the direct report, unless a
 * server was chosen.
 */
const goalBeside = async (
  { period, days, known, readAt }: PeriodReading,
  { guildId, userId, locale, fromDirectMessage, chosenGuildId }: Invocation,
  { goals }: Services,
): Promise<string | undefined> => {
  const present = monthOf(todayOf(readAt), readAt).from;
  if (period.kind !== "month" || !period.from.equals(present)) return undefined;
  const isOfAccount = fromDirectMessage === true && chosenGuildId === undefined;
  const amount = isOfAccount
    ? await goals.direct(guildId, userId)
    : (await goals.find(guildId, userId))?.amount;
  if (amount === undefined) return undefined;
  const progress = goalProgress(amount, [...known.values()], readAt);
  const since = days.since && known.get(days.since.toString());
  const hasMore = since !== undefined && since.sales > 0 && progress.upTo.equals(since.day);
  return goalInPeriod(progress, locale, hasMore);
};

/** Sales of a period with their change, and a picture where the days make one. */
const periodReply = async (
  period: SalesPeriod,
  invocation: Invocation,
  services: Services,
): Promise<Reply> => {
  const { guildId, userId, locale } = invocation;
  const { sales } = services;
  const reading = await sales.period(guildId, userId, period);
  const picture = await sales.picture({ chart: salesChart(reading, locale) });
  const goal = await goalBeside(reading, invocation, services);
  return salesPeriodView(reading, locale, picture, goal);
};

/** The same with a sentence that `data` was left out, which in a direct message stands below the end of the key. */
const periodWithoutDate = namingKeys(
  async (period: SalesPeriod, invocation: Invocation, services: Services): Promise<Reply> =>
    withoutDate(await periodReply(period, invocation, services), invocation.locale),
);

/** The presser's own day, with open withdrawals and MEDs: for the report that all see. */
const ownDayReply = async (
  day: Temporal.PlainDate,
  invocation: Invocation,
  services: Services,
): Promise<Reply> => {
  const { locale } = invocation;
  const shown = await salesReply(day, invocation, services);
  const [balance, disputes] = await Promise.all([
    settled(services.balance.read(invocation)),
    settled(services.disputes.overview(invocation, "answer", 0)),
  ]);
  const read = valueOf(balance);
  const waiting = valueOf(disputes);
  return ownDayView(
    shown,
    read &&
      balanceView({
        ...read,
        besideSales: true,
        inGuild: invocation.fromDirectMessage !== true,
        locale,
      }),
    waiting && awaitingLine(waiting, locale),
  );
};

const asked = (typed: string, { createdAt }: Invocation): Temporal.PlainDate =>
  parseReportDay(typed, createdAt);

/** Throws `unreadable` for text that is no period. */
const periodOr = (unreadable: unknown, typed: string, { createdAt }: Invocation): SalesPeriod => {
  try {
    return parsePeriod(typed, createdAt);
  } catch (error) {
    const isPeriod = error instanceof UserError && error.reason.kind !== "invalid_period";
    throw isPeriod ? error : unreadable;
  }
};

/**
 * A day, or a period typed in its place, such as `19/11` or `semana`.
 * @throws UserError invalid_date, future_date, period_too_long, period_swapped
 */
const dayOrPeriod = (
  typed = "hoje",
  invocation: Invocation,
):
  | { readonly day: Temporal.PlainDate | undefined }
  | { readonly period: SalesPeriod; readonly hasDate?: boolean } => {
  if (isToday(typed)) return { day: undefined };
  try {
    return { day: asked(typed, invocation) };
  } catch (error) {
    const period = periodOr(error, typed, invocation);
    return period.from.equals(period.to) ? { day: period.from } : { period };
  }
};

/** @throws UserError future_date: also the report's open day after 21:00, which is tomorrow in Brasília */
const askedInBrasilia = (typed: string, invocation: Invocation): Temporal.PlainDate => {
  const day = asked(typed, invocation);
  if (Temporal.PlainDate.compare(day, todayOf(invocation.createdAt)) > 0)
    throw new UserError({ kind: "future_date", given: typed });
  return day;
};

export const vendas = defineCommand({
  inDirectMessages: "as_owner",
  definition: command("vendas", ({ vendas }) => vendas.self, [
    suggested("data", ({ vendas }) => vendas.data, LONGEST_DATE),
    suggested("periodo", ({ vendas }) => vendas.periodo, LONGEST_TYPED),
  ]),
  handlers: handler({
    kind: "read",
    parse: (options, invocation) => {
      const [date, period] = [options.string("data"), options.string("periodo")];
      if (period === undefined) return dayOrPeriod(date, invocation);
      const hasDate = date !== undefined;
      return { period: parsePeriod(period, invocation.createdAt), hasDate };
    },
    run: async (asked, invocation, services) => {
      if ("day" in asked) return await salesReply(asked.day, invocation, services);
      const shown = asked.hasDate === true ? periodWithoutDate : periodReply;
      return await shown(asked.period, invocation, services);
    },
  }),
  actions: {
    brasilia: action({
      kind: "read",
      answers: "update",
      parse: ({ argument }, invocation) => askedInBrasilia(argument, invocation),
      run: async (day, invocation, { transactions }) =>
        brasiliaDayView(await transactions.brasiliaDay(invocation, day), invocation.locale),
    }),
    // Buttons of the report in the channel: they answer privately, and leave it as it is.
    meu: action({
      kind: "read",
      answers: "new",
      parse: ({ argument }, invocation) => asked(argument, invocation),
      run: namingKeys(ownDayReply),
    }),
    semana: action({
      kind: "read",
      answers: "new",
      parse: ({ argument }, invocation) => lastDays(7, asked(argument, invocation)),
      run: namingKeys(periodReply),
    }),
    hoje: action({
      kind: "read",
      answers: "new",
      parse: () => undefined,
      run: salesReply,
    }),
    arquivo: action({
      kind: "read",
      answers: "new",
      parse: ({ argument }, { createdAt }) => parsePeriod(argument, createdAt),
      run: accountingFilesReply,
    }),
    periodo: action({
      kind: "read",
      answers: "update",
      parse: ({ argument }, { createdAt }) => parsePeriod(argument, createdAt),
      run: periodReply,
    }),
  },
  autocomplete: async ({ option: name, text }, { createdAt, locale }) =>
    (name === "data" ? daySuggestions : periodSuggestions)(text, createdAt, locale),
});
