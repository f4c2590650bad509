import { inBrasilia } from "../../domain/brasilia.ts";
import type { Texts } from "../../texts/texts.ts";

/** Day and minute in Brasília, for files: nothing there knows the reader's own zone. */
export const dossierMoment = (at: Temporal.Instant, { format }: Texts): string =>
  format.dateTime(inBrasilia(at));
