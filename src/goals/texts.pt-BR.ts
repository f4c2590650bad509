import { format } from "../ui/format.pt-BR.ts";

const days = (count: number): string => (count === 1 ? "1 dia" : `${count} dias`);

/** `/meta`, and the line of a goal elsewhere. */
export const goals = {
  title: (month: Temporal.PlainDate): string =>
    `Meta de ${month.toLocaleString("pt-BR", { month: "long" })}`,
  none: "Você ainda não tem uma meta",
  noneText:
    "Diga quanto quer vender num mês, como `40.000`. Ela vale também para os meses seguintes, e só você a vê, a não ser que a mostre.",
  removed: "Meta removida",
  removedText: "Ela não aparece mais em lugar nenhum. Quando quiser outra, toque no botão.",
  removedHere: (amount: string): string =>
    `Você ainda tem uma meta de **${amount}** em outro servidor, que continua valendo. Para tirá-la também, use \`/meta\` nele ou na nossa conversa direta.`,

  of: (sold: string, goal: string, percent: number): string =>
    `**${sold}** de ${goal} (${format.count(percent)}%)`,
  reached: (sold: string, goal: string, percent: number): string =>
    `Meta batida: **${sold}** de ${goal} (${format.count(percent)}%)`,
  left: (amount: string, count: number): string => `faltam ${amount} em ${days(count)}`,
  /** `closes`: a Discord timestamp, because a report may be read after the day has closed. */
  leftOnLast: (amount: string, date: string, closes: string): string =>
    `faltam ${amount}; fechamento do último dia, ${date}: ${closes}`,
  ended: (amount: string): string => `o mês fechou a ${amount} da meta`,
  perDay: (amount: string): string => `${amount} por dia`,
  /** `dates` are some of the days without figures, `more` counts the others. */
  missing: (dates: string, count: number, more: number): string => {
    if (count === 1) return `ainda sem o dia ${dates}`;
    return more === 0 ? `ainda sem os dias ${dates}` : `ainda sem ${dates} e mais ${days(more)}`;
  },
  /** `closes`: a moment in Brasília, because the last day may have minutes left. */
  congratulations: (count: number, closes: string): string => {
    if (count === 0) return "Parabéns pelo mês.";
    return count === 1
      ? `Parabéns: e o mês ainda vai até as ${closes} (Brasília).`
      : `Parabéns: e o mês ainda tem ${days(count)}.`;
  },
  partial: (unread: string): string =>
    `**Parcial:** ${unread}. Continuo lendo; toque em **Atualizar** daqui a pouco.`,
  /** `unread`: the days without figures. */
  kept: (why: string, unread: string | undefined, advice: string): string =>
    `**${why}:** mostro o que li antes${unread === undefined ? "" : `, ${unread}`}. ${advice}`.trimEnd(),
  /** An answer without figures. */
  saved: (amount: string): string => `Sua meta de **${amount}** por mês está guardada.`,
  unread: (why: string, advice: string): string =>
    `**${why}:** não consigo ler quanto já foi vendido. ${advice}`.trimEnd(),
  nextMonth: "O que você vende desde as 21:00 já conta para o mês que vem.",
  privately: "Só você vê esta meta.",
  inReport:
    "Esta meta aparece no relatório do canal enquanto o seu total sair nele (`/conta ver`). Cabem nele as metas de cinco pessoas: as que mais venderam no dia.",
  note: (from: string): string =>
    `vendas antes das taxas, desde as ${from} (Brasília) · estornos posteriores descontam`,
  inPeriod: (line: string, more: string | undefined): string =>
    more === undefined ? `Meta: ${line}` : `Meta (${more}): ${line}`,
  withSince: "com o que entrou desde as 21:00",

  set: "Definir a meta",
  change: "Mudar o valor",
  show: "Mostrar no relatório",
  hide: "Só para mim",
  remove: "Tirar a meta",
  refresh: "Atualizar",
  formTitle: "Meta do mês",
  formLabel: "Quanto quer vender por mês",
  formPlaceholder: "40.000 ou 1.234,56",
};
