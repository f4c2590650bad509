import { parseReportDay } from "#src/domain/report-day.ts";
import { defineCommand, handler } from "#src/discord/command-kit.ts";
import { inGuilds, optionType } from "#src/shared/discord-enums.ts";
import { described } from "#src/texts/described.ts";
import { salesReportView } from "#src/views/sales-report.ts";

export const vendas = defineCommand({
  definition: {
    ...inGuilds,
    name: "vendas",
    ...described(({ vendas }) => vendas.self),
    options: [
      {
        type: optionType.string,
        name: "data",
        ...described(({ vendas }) => vendas.data),
        max_length: 20,
      },
    ],
  },
  handlers: handler({
    kind: "read",
    parse: (options, { createdAt }) => parseReportDay(options.string("data"), createdAt),
    run: async (day, { guildId, userId, locale }, { sales }) =>
      salesReportView({ ...(await sales.report(guildId, userId, day)), locale }),
  }),
});
