import type { StoredMessage } from "#src/sandbox/discord/state.ts";

export interface CloseVerdict {
  readonly closesOwed: number;
  /** Of those owed; the others are lost or given up. */
  readonly closesPosted: number;
  readonly closesLost: number;
  /** Weeks and months of which the server has more than one close. */
  readonly closesTwice: number;
}

export interface DueClose {
  /** As the last part of its key in the outbox: `week:2026-11-16:2026-11-22`. */
  readonly period: string;
  readonly title: string;
  readonly dueAt: Temporal.Instant;
}

/** A close in the outbox that is settled without a post. */
export interface UnsentClose {
  readonly period: string;
  readonly state: string;
  readonly enqueuedAt: Temporal.Instant;
  readonly settledAt: Temporal.Instant;
}

/** A close that fell due later than this before the end may still be unposted. */
const OWED_AFTER = { minutes: 30 };
const GIVEN_UP_AFTER = { hours: 7 * 24 };
const MONTHS =
  "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(
    " ",
  );

const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean =>
  Temporal.Instant.compare(one, other) < 0;

/** The service's days end at midnight UTC. */
const endOf = (day: Temporal.PlainDate): Temporal.Instant =>
  day.add({ days: 1 }).toZonedDateTime("UTC").toInstant();

/** At 21:05 in Brasília, on the day after the last one: that has ended there at 21:00. */
const dueAfter = (last: Temporal.PlainDate): Temporal.Instant =>
  endOf(last).add({ hours: 24, minutes: 5 });

const two = (value: number): string => String(value).padStart(2, "0");
const dayAndMonth = ({ day, month }: Temporal.PlainDate): string => `${two(day)}/${two(month)}`;

const weekTo = (last: Temporal.PlainDate): DueClose => {
  const first = last.subtract({ days: 6 });
  return {
    period: `week:${first.toString()}:${last.toString()}`,
    title: `Fechamento da semana, ${dayAndMonth(first)} a ${dayAndMonth(last)}`,
    dueAt: dueAfter(last),
  };
};

const monthTo = (last: Temporal.PlainDate): DueClose => ({
  period: `month:${last.with({ day: 1 }).toString()}:${last.toString()}`,
  title: `Fechamento de ${MONTHS[last.month - 1]} de ${last.year}`,
  dueAt: dueAfter(last),
});

/** Closes that fell due until `now`, of weeks and months that ended after closes came on. */
export const dueCloses = (since: Temporal.Instant, now: Temporal.Instant): readonly DueClose[] => {
  const due: DueClose[] = [];
  let day = since.toZonedDateTimeISO("UTC").toPlainDate();
  for (; !isBefore(now, endOf(day)); day = day.add({ days: 1 })) {
    if (!isBefore(since, endOf(day))) continue;
    if (day.dayOfWeek === 7) due.push(weekTo(day));
    if (day.day === day.daysInMonth) due.push(monthTo(day));
  }
  return due.filter(({ dueAt }) => !isBefore(now, dueAt));
};

const titleOf = ({ embeds: [embed] }: StoredMessage): string => embed?.title ?? "";

/** Weekly and monthly closes, which have titles of their own. */
export const isClose = (post: StoredMessage): boolean =>
  /^Fechamento (da semana,|de .* de \d{4}$)/.test(titleOf(post));

/**
 * The bot gives up a close in one case that a verdict accepts: its row lay in the outbox for more than seven days, so
 * that it is `obsolete`. A later close replaces none, and a missing day delays a close by hours at most. A close that
 * was never enqueued expires three weeks after its time; the loop lets no such time pass, so that it counts as lost, as
 * do `dead` and `unknown` rows and those that were cancelled.
 */
const isGivenUp = ({ state, enqueuedAt, settledAt }: UnsentClose): boolean =>
  state === "obsolete" && isBefore(enqueuedAt.add(GIVEN_UP_AFTER), settledAt);

/** Closes without a post that the bot has not given up. */
export const unposted = (
  due: readonly DueClose[],
  posts: readonly StoredMessage[],
  unsent: readonly UnsentClose[],
): readonly DueClose[] => {
  const titles = new Set(posts.map(titleOf));
  const givenUp = new Set(unsent.filter(isGivenUp).map(({ period }) => period));
  return due.filter(({ period, title }) => !titles.has(title) && !givenUp.has(period));
};

/** Compares the channel with the closes of its server. @throws Error for a close of no such period or before its time */
export const judgeCloses = (
  since: Temporal.Instant,
  now: Temporal.Instant,
  posts: readonly StoredMessage[],
  unsent: readonly UnsentClose[],
): CloseVerdict => {
  const closes = posts.filter(isClose);
  const due = dueCloses(since, now);
  for (const close of closes) {
    const asked = due.find(({ title }) => title === titleOf(close));
    if (asked === undefined || isBefore(close.createdAt, asked.dueAt))
      throw new Error(`Posted before it was due: ${titleOf(close)}`);
  }
  const owed = dueCloses(since, now.subtract(OWED_AFTER));
  const titles = new Set(closes.map(titleOf));
  return {
    closesOwed: owed.length,
    closesPosted: owed.filter(({ title }) => titles.has(title)).length,
    closesLost: unposted(owed, closes, unsent).length,
    closesTwice: closes.length - titles.size,
  };
};
