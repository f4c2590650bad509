import type { StoredMessage } from "#src/sandbox/discord/state.ts";

export interface Verdict {
  readonly owed: number;
  readonly posts: number;
  readonly lost: number;
  /** Messages beyond the first of each report. */
  readonly twice: number;
}

/** The report of a post as `seller day`, read from the text that people see. */
const reportOf = ({ embeds }: StoredMessage): string => {
  const text = JSON.stringify(embeds);
  const seller = /<@(\d+)>/.exec(text)?.[1];
  const [, day, month, year] = /(\d\d)\/(\d\d)\/(\d{4})/.exec(text) ?? [];
  return `${seller} ${year}-${month}-${day}`;
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

/** Compares the channel with the reports owed. */
export const judge = (owed: readonly string[], posts: readonly StoredMessage[]): Verdict => {
  const counts = new Map<string, number>();
  for (const post of posts) counts.set(reportOf(post), (counts.get(reportOf(post)) ?? 0) + 1);
  const wanted = new Set(owed);
  const unasked = [...counts.keys()].filter((report) => !wanted.has(report));
  if (unasked.length > 0)
    throw new Error(`Posted though nobody was owed it: ${unasked.join(", ")}`);
  return {
    owed: owed.length,
    posts: posts.length,
    lost: owed.filter((report) => !counts.has(report)).length,
    twice: posts.length - counts.size,
  };
};
