import {
  Client,
  EmbedBuilder,
  GatewayIntentBits,
  MessageFlags,
  type Interaction,
} from "discord.js";

/** The yardstick: a bare discord.js bot that gives the same answer. */
const { DISCORD_TOKEN = "", DISCORD_API_URL = "", WALLET_BASE_URL = "" } = process.env;
const API_KEY = "sk_bench_yardstick";

interface Totals {
  readonly count: number;
  readonly totalSales: number;
}
interface Report {
  readonly date: string;
  readonly summary: Record<"totalSales" | "totalFees" | "totalNet", number>;
  readonly breakdown: Record<"api" | "esales", Totals>;
}

const client = new Client({
  intents: [GatewayIntentBits.Guilds],
  rest: { api: DISCORD_API_URL, globalRequestsPerSecond: Infinity },
});
const money = (reais: number) => `R$ ${reais.toFixed(2)}`;
const origin = ({ count, totalSales }: Totals) => `${money(totalSales)} (${count})`;

const answer = async (interaction: Interaction): Promise<void> => {
  if (!interaction.isChatInputCommand()) return;
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const date = new Intl.DateTimeFormat("pt-BR", { timeZone: "UTC" }).format(new Date());
  const response = await fetch(
    `${WALLET_BASE_URL}/v1/sales/report?date=${encodeURIComponent(date)}`,
    { headers: { authorization: `Bearer ${API_KEY}` } },
  );
  const { summary, breakdown } = (await response.json()) as Report;
  const embed = new EmbedBuilder()
    .setTitle(`Vendas de ${date}`)
    .addFields(
      { name: "Total vendido", value: money(summary.totalSales), inline: true },
      { name: "Taxas", value: money(summary.totalFees), inline: true },
      { name: "Líquido", value: money(summary.totalNet), inline: true },
      { name: "API", value: origin(breakdown.api), inline: true },
      { name: "E-sales", value: origin(breakdown.esales), inline: true },
    );
  await interaction.editReply({ embeds: [embed] });
};

client.on("interactionCreate", (interaction) => void answer(interaction));

await client.login(DISCORD_TOKEN);
