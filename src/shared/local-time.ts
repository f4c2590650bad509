import { UserError } from "./errors.ts";
import { withoutAccents } from "./locale.ts";
import { typedText } from "./typed-text.ts";

const BRASILIA = "America/Sao_Paulo";

/** Brasília's local time, which Brazilian banks use. */
export const inBrasilia = (instant: Temporal.Instant): Temporal.PlainDateTime =>
  instant.toZonedDateTimeISO(BRASILIA).toPlainDateTime();

/** First instant of the day in Brasília. */
export const startInBrasilia = (day: Temporal.PlainDate): Temporal.Instant =>
  day.toZonedDateTime(BRASILIA).toInstant();

const LAST_HOUR = 23;
const LAST_MINUTE = 59;

const TYPED_TIME = /^(\d{1,2})(?:[:h](\d{2})|h|(?= ?[ap]m)) ?([ap]m)?$/;

/**
 * Parses a typed time: `21:05`, `9:05`, `21h05` or `21h`, in English also `9:05 PM` or `9 pm`.
 * @throws UserError invalid_time
 */
export const parseTimeOfDay = (typed: string): Temporal.PlainTime => {
  const [, hours, minutes = "00", half] = TYPED_TIME.exec(typedText(typed).toLowerCase()) ?? [];
  const hour = half === undefined ? Number(hours) : hourOfHalf(Number(hours), half);
  if (hour <= LAST_HOUR && Number(minutes) <= LAST_MINUTE) {
    return new Temporal.PlainTime(hour, Number(minutes));
  }
  throw new UserError({ kind: "invalid_time", given: typed });
};

/** Hour of the day of a 12-hour clock, whose 12 comes before its 1; NaN outside of 1 to 12. */
const hourOfHalf = (hour: number, half: string): number =>
  hour >= 1 && hour <= 12 ? (hour % 12) + (half === "pm" ? 12 : 0) : Number.NaN;

export const formatTimeOfDay = (time: Temporal.PlainTime): string =>
  time.toString({ smallestUnit: "minute" });

/** Brazilian zones and the places that people know them by, largest population first. */
const BRAZILIAN_ZONES: readonly (readonly [zone: string, places: string])[] = [
  ["America/Sao_Paulo", "Brasília, São Paulo, Rio de Janeiro, Sul e Sudeste"],
  ["America/Bahia", "Salvador, Bahia"],
  ["America/Fortaleza", "Fortaleza, Natal, São Luís, Teresina, João Pessoa"],
  ["America/Recife", "Recife, Pernambuco"],
  ["America/Maceio", "Maceió, Aracaju"],
  ["America/Belem", "Belém, Macapá"],
  ["America/Santarem", "Santarém, oeste do Pará"],
  ["America/Araguaina", "Palmas, Tocantins"],
  ["America/Manaus", "Manaus, Amazonas"],
  ["America/Cuiaba", "Cuiabá, Mato Grosso"],
  ["America/Campo_Grande", "Campo Grande, Mato Grosso do Sul"],
  ["America/Porto_Velho", "Porto Velho, Rondônia"],
  ["America/Boa_Vista", "Boa Vista, Roraima"],
  ["America/Rio_Branco", "Rio Branco, Acre"],
  ["America/Eirunepe", "Eirunepé, oeste do Amazonas"],
  ["America/Noronha", "Fernando de Noronha"],
];

export interface TimeZoneChoice {
  /** IANA name. */
  readonly zone: string;
  /** Brazilian places in this zone; undefined outside Brazil. */
  readonly places: string | undefined;
}

/**
 * Parses an IANA zone and returns its canonical spelling. Fixed offsets are refused, because they have no summer time.
 * @throws UserError invalid_time_zone
 */
export const parseTimeZone = (typed: string): string => {
  const text = typedText(typed);
  try {
    if (/^[a-z]/i.test(text)) return new Temporal.ZonedDateTime(0n, text).timeZoneId;
  } catch {
    // Unknown zone: refused below.
  }
  throw new UserError({ kind: "invalid_time_zone", given: typed });
};

/** Normalised for search: no accents, lower case, spaces instead of underscores. */
const plain = (text: string): string => withoutAccents(text).replaceAll("_", " ").toLowerCase();

let searchable: readonly (TimeZoneChoice & { readonly text: string })[] | undefined;

/** Built on first use, because listing the zones is slow. */
const allZones = (): NonNullable<typeof searchable> => {
  if (searchable !== undefined) return searchable;
  const brazilian = new Set(BRAZILIAN_ZONES.map(([zone]) => zone));
  const others = Intl.supportedValuesOf("timeZone").filter((zone) => !brazilian.has(zone));
  const choices: readonly TimeZoneChoice[] = [
    ...BRAZILIAN_ZONES.map(([zone, places]) => ({ zone, places })),
    ...others.map((zone) => ({ zone, places: undefined })),
  ];
  searchable = choices.map((choice) => ({
    ...choice,
    text: plain(`${choice.zone} ${choice.places ?? ""}`),
  }));
  return searchable;
};

/** Zones with the typed text in their name or places, Brazilian zones first. */
export const searchTimeZones = (typed: string, limit: number): readonly TimeZoneChoice[] => {
  const wanted = plain(typedText(typed));
  return allZones()
    .filter(({ text }) => text.includes(wanted))
    .slice(0, limit);
};
