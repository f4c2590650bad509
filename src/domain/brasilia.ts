const BRASILIA = "America/Sao_Paulo";

/** What the clocks of Brasília show at the instant, which is the time that Brazilian banks go by. */
export const inBrasilia = (instant: Temporal.Instant): Temporal.PlainDateTime =>
  instant.toZonedDateTimeISO(BRASILIA).toPlainDateTime();
