const SECOND_MS = 1000;

const seconds = (at: Temporal.Instant): number => Math.floor(at.epochMilliseconds / SECOND_MS);

/** Discord writes these in each reader's own zone and language; in descriptions and field values only. */
export const fullTime = (at: Temporal.Instant): string => `<t:${seconds(at)}:F>`;
export const hourOnly = (at: Temporal.Instant): string => `<t:${seconds(at)}:t>`;
export const shortTime = (at: Temporal.Instant): string => `<t:${seconds(at)}:f>`;
/** Of steps that follow each other within seconds. */
export const toTheSecond = (at: Temporal.Instant): string =>
  `<t:${seconds(at)}:d> <t:${seconds(at)}:T>`;
export const relativeTime = (at: Temporal.Instant): string => `<t:${seconds(at)}:R>`;

/** Absolute and relative together: what is read later still says when. */
export const fullAndRelative = (at: Temporal.Instant): string =>
  `${fullTime(at)} (${relativeTime(at)})`;
