import type { Locale } from "../shared/locale.ts";
import { type Cents, cents } from "../shared/money.ts";
import { brasiliaWindow, closeOf } from "../shared/report-day.ts";
import {
  type ButtonParts,
  buttonRow,
  customIdOf,
  modal,
  type Modal,
  reply,
  type Reply,
} from "../ui/reply.ts";
import { supportCodeFields } from "../ui/embed.ts";
import { oldestRead, relativeTime, together } from "../ui/format.ts";
import { type GoalProgress, type GoalReading, isUnread } from "./goal.ts";
import { type GoalTexts, goalTexts } from "./texts.ts";

const BLOCKS = 10;
const MOST_NAMED = 3;

/** Tenths of the goal. */
export const goalBar = ({ percent }: Pick<GoalProgress, "percent">): string => {
  const full = Math.min(BLOCKS, Math.floor(percent / BLOCKS));
  return "▰".repeat(full) + "▱".repeat(BLOCKS - full);
};

/** Whole reais without their zeros: `R$ 40.000`. */
const short = (amount: Cents, { format }: GoalTexts): string =>
  format.reais(amount).replace(/[.,]00$/, "");

const missingInWords = (
  missing: GoalProgress["missing"],
  { goals, format }: GoalTexts,
): string | undefined => {
  if (missing.length === 0) return undefined;
  const dates = missing.slice(0, MOST_NAMED).map(format.shortDate);
  const more = missing.length - dates.length;
  const named = more === 0 ? format.list(dates) : dates.join(", ");
  return goals.missing(named, missing.length, more);
};

const lastDayOf = (day: Temporal.PlainDate): Temporal.PlainDate =>
  day.with({ day: day.daysInMonth });

const amountsInWords = (progress: GoalProgress, texts: GoalTexts): string => {
  const { goals, format } = texts;
  const { goal, sold, percent, remaining, daysLeft, upTo } = progress;
  const amounts = [short(sold, texts), short(goal, texts), percent] as const;
  if (remaining === 0) return goals.reached(...amounts);
  const left = short(remaining, texts);
  const lastDay = lastDayOf(upTo);
  const rest = {
    0: goals.ended(left),
    1: goals.leftOnLast(left, format.shortDate(lastDay), relativeTime(closeOf(lastDay))),
  }[daysLeft];
  return together(goals.of(...amounts), rest ?? goals.left(left, daysLeft));
};

/** The goal in one line: days without figures are named. */
export const goalLine = (progress: GoalProgress, locale: Locale): string => {
  const texts = goalTexts(locale);
  return together(amountsInWords(progress, texts), missingInWords(progress.missing, texts));
};

/** The bar above the line, for the report of a server or of its seller. */
export const goalInReport = (progress: GoalProgress, locale: Locale): string =>
  [goalBar(progress), goalLine(progress, locale)].join("\n");

/**
 * The line for an answer about the month's sales. The words of a reached goal name it themselves. `hasMore`: the goal
 * counts sales of the day after the answer's last one.
 */
export const goalInPeriod = (progress: GoalProgress, locale: Locale, hasMore = false): string => {
  const told = goalLine(progress, locale);
  const { goals } = goalTexts(locale);
  const more = hasMore ? goals.withSince : undefined;
  return progress.remaining === 0 ? together(told, more) : goals.inPeriod(told, more);
};

const idOf = (action: string): string => customIdOf("meta", action)("");

const setButton = ({ goals }: GoalTexts): ButtonParts => ({
  id: idOf("definir"),
  label: goals.set,
  style: "primary",
});

const buttons = ({ goal }: GoalReading, { goals }: GoalTexts): readonly ButtonParts[] =>
  [
    { id: idOf("atualizar"), label: goals.refresh },
    { id: idOf("definir"), label: goals.change },
    goal.shown
      ? { id: idOf("esconder"), label: goals.hide }
      : { id: idOf("mostrar"), label: goals.show },
    { id: idOf("tirar"), label: goals.remove },
  ].map((each) => ({ ...each, style: "secondary" }));

const paceLine = (progress: GoalProgress, texts: GoalTexts): string => {
  const { goals, format } = texts;
  const { remaining, daysLeft, missing, upTo } = progress;
  if (remaining === 0)
    return goals.congratulations(daysLeft, format.moment(brasiliaWindow(lastDayOf(upTo)).to));
  if (daysLeft < 2 || missing.length > 0) return "";
  return goals.perDay(short(cents(Math.ceil(remaining / daysLeft)), texts));
};

/** The unread part of the month, and why. */
const unreadLine = ({ progress, problem }: GoalReading, texts: GoalTexts): string => {
  const { goals, walletErrors } = texts;
  const missing = missingInWords(progress.missing, texts);
  if (problem === undefined) return missing === undefined ? "" : goals.partial(missing);
  const { title, next } = walletErrors[problem];
  const advice = problem === "unauthorized" ? next : "";
  return isUnread(progress) ? goals.unread(title, advice) : goals.kept(title, missing, advice);
};

/** A seller's goal with the part that is sold; undefined for a seller without one. */
export const goalView = (reading: GoalReading | undefined, locale: Locale): Reply => {
  const texts = goalTexts(locale);
  const { goals, format } = texts;
  if (reading === undefined)
    return reply({ title: goals.none, description: goals.noneText }, buttonRow(setButton(texts)));
  const { goal, progress, readAt, problem } = reading;
  const { upTo, daysLeft } = progress;
  const unread = unreadLine(reading, texts);
  const opening = brasiliaWindow(upTo.with({ day: 1 })).from;
  const seenBy = goal.shown ? goals.inReport : goals.privately;
  const lines =
    problem !== undefined && isUnread(progress)
      ? [goals.saved(short(goal.amount, texts)), unread, seenBy]
      : [
          problem === undefined ? "" : unread,
          goalBar(progress),
          amountsInWords(progress, texts),
          paceLine(progress, texts),
          problem === undefined ? unread : "",
          daysLeft === 0 ? goals.nextMonth : "",
          seenBy,
          `-# ${together(goals.note(format.moment(opening)), oldestRead(reading, texts))}`,
        ];
  return reply(
    {
      title: goals.title(upTo),
      ...(problem !== undefined && { tone: "warning" }),
      description: lines.filter((each) => each !== "").join("\n"),
      fields: supportCodeFields(unread === "" ? [] : reading.supportCodes, texts),
      readAt,
    },
    buttonRow(...buttons(reading, texts)),
  );
};

/** `remaining`: the goal of another server of the same wallet account. */
export const goalRemovedView = (remaining: Cents | undefined, locale: Locale): Reply => {
  const texts = goalTexts(locale);
  const { goals } = texts;
  const description =
    remaining === undefined ? goals.removedText : goals.removedHere(short(remaining, texts));
  return reply({ title: goals.removed, description }, buttonRow(setButton(texts)));
};

/** Field of the form below. */
export const GOAL_FIELD = "valor";

export const goalForm = (locale: Locale): Modal => {
  const { goals } = goalTexts(locale);
  return modal({
    customId: idOf("salvar"),
    title: goals.formTitle,
    fields: [
      {
        id: GOAL_FIELD,
        label: goals.formLabel,
        placeholder: goals.formPlaceholder,
        required: true,
      },
    ],
  });
};
