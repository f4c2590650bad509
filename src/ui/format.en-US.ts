import { formatReaisIn } from "../shared/money.ts";
import { leftOf, waitOf } from "./format.ts";
import type { common as portugueseCommon, format as portuguese } from "./format.pt-BR.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const TIME_WORDS = { second: "second", minute: "minute", hour: "hour", day: "day" };

const two = (value: number): string => String(value).padStart(2, "0");
const monthAndDay = (at: { readonly month: number; readonly day: number }): string =>
  `${MONTHS[at.month - 1]} ${at.day}`;
const date: typeof portuguese.date = (day) => `${monthAndDay(day)}, ${day.year}`;
const hour: typeof portuguese.hour = (time) =>
  `${time.hour % 12 || 12}:${two(time.minute)} ${time.hour < 12 ? "AM" : "PM"}`;

export const format: typeof portuguese = {
  date,
  shortDate: monthAndDay,
  hour,
  moment: (at) => `${hour(at)} on ${monthAndDay(at)}`,
  dayAndHour: (at) => `${WEEKDAYS[at.dayOfWeek - 1]}, ${monthAndDay(at)}, ${hour(at)}`,
  dateTime: (at) => `${date(at)}, ${hour(at)}`,
  reais: formatReaisIn("en-US"),
  zone: (zone) => (zone === "America/Sao_Paulo" ? "Brasília time" : zone),
  count: (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ","),
  percent: (basisPoints) => `${(basisPoints / 100).toFixed(2)}%`,
  list: (items) =>
    items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`,
  left: (ms) => leftOf(ms, TIME_WORDS),
  wait: (ms) => waitOf(ms, TIME_WORDS),
};

/** Words that views of several capabilities use. */
export const common: typeof portugueseCommon = {
  oldestRead: (at) => `oldest reading: ${monthAndDay(at)}, ${hour(at)}`,
  openServer: "Open the server",
  replaced: "Characters that the PDF's font lacks appear as “?”.",
  key: "Key",
  keyEnding: (end) => `Key ending in ${end}`,
  channel: "Channel",
  state: "State",
  chooseChannel: "Where it is posted",
  chooseRole: "Which role to ping",
  switchOn: "Switch on",
  switchOff: "Switch off",
  undelivered: (count) =>
    count === 1
      ? "**1 alert of the last 7 days did not reach you.**"
      : `**${count} alerts of the last 7 days did not reach you.**`,
  undeliveredNext:
    "In Discord, allow direct messages from the server where you sell, or, if it has an alert channel, choose that in `/conta ver` there.",
  undeliveredReports: (count) =>
    count === 1
      ? "**1 report of the last 7 days did not reach you: Discord refused my direct message.** Allow direct messages in this server's privacy settings."
      : `**${count} reports of the last 7 days did not reach you: Discord refused my direct messages.** Allow them in this server's privacy settings.`,
};
