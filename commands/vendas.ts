import { defineCommand, handler } from "#src/discord/command-kit.ts";
import { parseReportDay } from "#src/domain/report-day.ts";
import { salesReportView } from "#src/views/sales-report.ts";
import { command, option } from "./parts/definition.ts";

const LONGEST_DATE = 20;

export const vendas = defineCommand({
  definition: command("vendas", ({ vendas }) => vendas.self, [
    { ...option("string", "data", ({ vendas }) => vendas.data), max_length: LONGEST_DATE },
  ]),
  handlers: handler({
    kind: "read",
    parse: (options, { createdAt }) => parseReportDay(options.string("data"), createdAt),
    run: async (day, { guildId, userId, locale }, { sales }) =>
      salesReportView({ ...(await sales.report(guildId, userId, day)), locale }),
  }),
});
