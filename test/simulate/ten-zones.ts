/**
 * Covers summer time that begins at midnight, a shift of half an hour and Apia's skipped day in 2011; then a leap day.
 */
export const START = "2011-03-01T12:00Z";
export const DAYS = 366;
export const SEED = 20111230;
export const ZONES = [
  "America/Sao_Paulo",
  "America/New_York",
  "America/Santiago",
  "Europe/Lisbon",
  "Africa/Cairo",
  "Asia/Gaza",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Pacific/Apia",
];
