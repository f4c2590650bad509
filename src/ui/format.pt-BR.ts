import { formatReais } from "../shared/money.ts";
import { leftOf, waitOf } from "./format.ts";

const WEEKDAYS = ["seg", "ter", "qua", "qui", "sex", "sáb", "dom"];
const TIME_WORDS = { second: "segundo", minute: "minuto", hour: "hora", day: "dia" };

const two = (value: number): string => String(value).padStart(2, "0");

type Day = Pick<Temporal.PlainDate, "day" | "month" | "year">;
type Hour = Pick<Temporal.PlainTime, "hour" | "minute">;

const shortDate = ({ day, month }: Day): string => `${two(day)}/${two(month)}`;
const date = (day: Day): string => `${shortDate(day)}/${day.year}`;
const hour = (time: Hour): string => `${two(time.hour)}:${two(time.minute)}`;

/** Brazilian forms of dates, hours and numbers. */
export const format = {
  date,
  shortDate,
  /** `21:00`, like Discord. */
  hour,
  moment: (at: Temporal.PlainDateTime): string => `${hour(at)} de ${shortDate(at)}`,
  /** `qui 26/11 21:05`, for sentences and menus, where Discord's timestamps do not work. */
  dayAndHour: (at: Temporal.PlainDateTime): string =>
    `${WEEKDAYS[at.dayOfWeek - 1]} ${shortDate(at)} ${hour(at)}`,
  /** For files and receipts, where Discord's timestamps do not work. */
  dateTime: (at: Temporal.PlainDateTime): string => `${date(at)} ${hour(at)}`,
  reais: formatReais,
  /** From an IANA name; Brasília's zone has a name of its own. */
  zone: (zone: string): string => (zone === "America/Sao_Paulo" ? "horário de Brasília" : zone),
  count: (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, "."),
  /** From hundredths of a per cent. */
  percent: (basisPoints: number): string => `${(basisPoints / 100).toFixed(2).replace(".", ",")}%`,
  list: (items: readonly string[]): string =>
    items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} e ${items.at(-1)}`,
  left: (ms: number): string => leftOf(ms, TIME_WORDS),
  wait: (ms: number): string => waitOf(ms, TIME_WORDS),
};

const isOne = (hour: string): boolean => hour.startsWith("01:");

/** `às 21:00`, `à 01:00`. */
export const atHour = (hour: string): string => `${isOne(hour) ? "à" : "às"} ${hour}`;

/** `das 21:00`, `da 01:00`. */
export const fromHour = (hour: string): string => `${isOne(hour) ? "da" : "das"} ${hour}`;

/** Words that views of several capabilities use. */
export const common = {
  oldestRead: (at: Temporal.PlainDateTime): string =>
    `leitura mais antiga: ${shortDate(at)} ${hour(at)}`,
  openServer: "Abrir o servidor",
  replaced: "Caracteres que a fonte do PDF não tem aparecem como “?”.",
  key: "Chave",
  keyEnding: (end: string): string => `Chave final ${end}`,
  channel: "Canal",
  state: "Situação",
  /** Menus and buttons of settings. */
  chooseChannel: "Em que canal sai",
  chooseRole: "Que cargo mencionar",
  switchOn: "Ligar",
  switchOff: "Desligar",
  /** Of the last seven days. */
  undelivered: (count: number): string =>
    count === 1
      ? "**1 alerta dos últimos 7 dias não chegou até você.**"
      : `**${count} alertas dos últimos 7 dias não chegaram até você.**`,
  undeliveredNext:
    "Libere no Discord as mensagens diretas do servidor em que você vende, ou, se houver um, escolha nele o canal de alertas, em `/conta ver`.",
  undeliveredReports: (count: number): string =>
    count === 1
      ? "**1 relatório dos últimos 7 dias não chegou até você: o Discord recusou a minha mensagem direta.** Libere as mensagens diretas nas opções de privacidade deste servidor."
      : `**${count} relatórios dos últimos 7 dias não chegaram até você: o Discord recusou as minhas mensagens diretas.** Libere-as nas opções de privacidade deste servidor.`,
};
