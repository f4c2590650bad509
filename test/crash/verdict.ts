import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { isClose } from "./close-verdict.ts";

export interface Verdict {
  readonly owed: number;
  readonly posts: number;
  readonly lost: number;
  /** Sellers told of a day more than once, and days of which the server has more than one report. */
  readonly twice: number;
}

/** The date of a title, in the year of the figures. */
const dayOf = (title: string, readOn: Temporal.PlainDate): string => {
  const [, day, month] = /(\d\d)\/(\d\d)$/.exec(title) ?? [];
  const ofYear = (year: number) => Temporal.PlainDate.from(`${year}-${month}-${day}`);
  const thisYear = ofYear(readOn.year);
  const isPast = Temporal.PlainDate.compare(thisYear, readOn) <= 0;
  return (isPast ? thisYear : ofYear(readOn.year - 1)).toString();
};

interface ReadPost {
  /** Whether it is a server's report; otherwise it completes one. */
  readonly isWhole: boolean;
  readonly day: string;
  /** As `seller day`, for each seller whose figures it tells. */
  readonly told: readonly string[];
}

/** The day of a line that tells of a day without sales. */
const emptyDay = ({ embeds: [embed] }: StoredMessage): string | undefined => {
  const [, day, month, year] =
    /(?:: nenhuma venda aprovada|^Você não teve vendas aprovadas) em (\d\d)\/(\d\d)\/(\d{4}) \(/.exec(
      embed?.description ?? "",
    ) ?? [];
  return day === undefined ? undefined : `${year}-${month}-${day}`;
};

/** A post's day and sellers, read from the text that people see. */
const readPost = (post: StoredMessage, owed: readonly string[]): ReadPost => {
  const empty = emptyDay(post);
  if (empty !== undefined) {
    // The line names nobody: it is posted when the figures of all sellers are known.
    const told = owed.filter((report) => report.endsWith(` ${empty}`));
    return { isWhole: true, day: empty, told: told.length > 0 ? told : [`all ${empty}`] };
  }
  const { title = "", description = "", fields = [], timestamp = "" } = post.embeds[0] ?? {};
  if (timestamp === "") throw new Error(`Neither a report nor a close: ${JSON.stringify(post)}`);
  const isWhole = title.startsWith("Fechamento");
  const day = dayOf(title, Temporal.PlainDate.from(timestamp.slice(0, 10)));
  const ranking = fields.find(({ name }) => name === "Vendedores")?.value;
  // A completion names its seller first; the others whom it names are still missing.
  const text = isWhole ? (ranking ?? "") : (description.split("\n")[0] ?? "");
  const told = [...text.matchAll(/<@(\d+)>/g)].map(([, seller]) => `${seller} ${day}`);
  return { isWhole, day, told };
};

/** Reports owed to every seller, from the first day to the last one due at `now`. */
export const owedReports = (
  sellers: readonly string[],
  firstDay: Temporal.PlainDate,
  now: Temporal.Instant,
): readonly string[] => {
  const lastClosed = now
    .subtract({ minutes: 5 })
    .toZonedDateTimeISO("UTC")
    .toPlainDate()
    .subtract({ days: 1 });
  const days = firstDay.until(lastClosed).days + 1;
  return Array.from({ length: Math.max(0, days) }, (_, index) =>
    firstDay.add({ days: index }),
  ).flatMap((day) => sellers.map((seller) => `${seller} ${day.toString()}`));
};

/** Compares the channel, and the direct messages to sellers who have their reports there, with the reports owed. */
export const judge = (
  owed: readonly string[],
  posts: readonly StoredMessage[],
  direct: ReadonlyMap<string, readonly StoredMessage[]> = new Map(),
): Verdict => {
  const read = posts.filter((post) => !isClose(post)).map((post) => readPost(post, owed));
  const directTold = [...direct].flatMap(([seller, messages]) =>
    messages.map(emptyDay).flatMap((day) => (day === undefined ? [] : [`${seller} ${day}`])),
  );
  const told = [...read.flatMap((post) => post.told), ...directTold];
  const counts = new Map<string, number>();
  for (const report of told) counts.set(report, (counts.get(report) ?? 0) + 1);
  const wanted = new Set(owed);
  const unasked = [...counts.keys()].filter((report) => !wanted.has(report));
  if (unasked.length > 0)
    throw new Error(`Posted though nobody was owed it: ${unasked.join(", ")}`);
  const wholes = read.filter(({ isWhole }) => isWhole).map(({ day }) => day);
  return {
    owed: owed.length,
    posts: read.length + directTold.length,
    lost: owed.filter((report) => !counts.has(report)).length,
    twice: told.length - counts.size + (wholes.length - new Set(wholes).size),
  };
};
