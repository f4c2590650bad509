import { action, defineCommand, handler, type Invocation } from "#src/discord/command.ts";
import { justClosedDay, openReportDay, parseReportDay } from "#src/shared/report-day.ts";
import type { SalesPeriod } from "#src/reports/sales-period.ts";
import { LONGEST_TYPED, parsePeriod } from "#src/reports/typed-period.ts";
import type { Services } from "#src/services.ts";
import type { Reply } from "#src/ui/reply.ts";
import { salesReportView } from "#src/reports/sales-report.view.ts";
import { periodSuggestions, salesChart, salesPeriodView } from "#src/reports/sales-period.view.ts";
import { accountingFilesReply } from "./accounting-files.ts";
import { command, option } from "./definition.ts";

const LONGEST_DATE = 20;

/** Sales of a day. In the hours after a close, the open day also shows the closed one, with buttons for both. */
const salesReply = async (
  day: Temporal.PlainDate,
  { guildId, userId, locale, createdAt }: Invocation,
  { sales }: Services,
): Promise<Reply> => {
  const open = openReportDay(createdAt);
  const justClosed = justClosedDay(createdAt);
  const read = (wanted: Temporal.PlainDate) => sales.report(guildId, userId, wanted);
  const isBoth = justClosed !== undefined && day.equals(open);
  const [shown, closed] = await Promise.all([
    read(day),
    isBoth ? read(justClosed) : Promise.resolve(undefined),
  ]);
  const days = justClosed === undefined ? [] : [justClosed, open];
  return salesReportView({ ...shown, closed: closed?.report, days, locale });
};

/** Sales of a period with their change, and a picture where the days make one. */
const periodReply = async (
  period: SalesPeriod,
  { guildId, userId, locale }: Invocation,
  { sales }: Services,
): Promise<Reply> => {
  const reading = await sales.period(guildId, userId, period);
  const chart = salesChart(reading, locale);
  const picture = chart && (await sales.picture(chart));
  return salesPeriodView(reading, picture, locale);
};

const asked = (typed: string | undefined, { createdAt }: Invocation): Temporal.PlainDate =>
  parseReportDay(typed, createdAt);

export const vendas = defineCommand({
  inDirectMessages: "as_owner",
  definition: command("vendas", ({ vendas }) => vendas.self, [
    { ...option("string", "data", ({ vendas }) => vendas.data), max_length: LONGEST_DATE },
    {
      ...option("string", "periodo", ({ vendas }) => vendas.periodo),
      autocomplete: true,
      max_length: LONGEST_TYPED,
    },
  ]),
  handlers: handler({
    kind: "read",
    parse: (options, invocation) => {
      const period = options.string("periodo");
      return period === undefined
        ? { day: asked(options.string("data"), invocation) }
        : { period: parsePeriod(period, invocation.createdAt) };
    },
    run: ({ day, period }, invocation, services) =>
      period === undefined
        ? salesReply(day, invocation, services)
        : periodReply(period, invocation, services),
  }),
  actions: {
    dia: action({
      kind: "read",
      answers: "update",
      parse: ({ argument }, invocation) => asked(argument, invocation),
      run: salesReply,
    }),
    hoje: action({
      kind: "read",
      answers: "new",
      parse: (_, invocation) => asked(undefined, invocation),
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
  autocomplete: async ({ text }, { createdAt, locale }) =>
    periodSuggestions(text, createdAt, locale),
});
