import type { Texts } from "../../texts/texts.ts";

const BRASILIA = "America/Sao_Paulo";

/** Day and minute in Brasília, for files: nothing there knows the reader's own zone. */
export const dossierMoment = (at: Temporal.Instant, { format }: Texts): string => {
  const local = at.toZonedDateTimeISO(BRASILIA);
  return `${format.date(local.toPlainDate())} ${local.toPlainTime().toString({ smallestUnit: "minute" })}`;
};
