import { repeatsSecret } from "./secret-echo.ts";

const SHAPE = /^[\w.:/+=-]{1,128}$/;

/**
 * The `X-Request-ID` of an answer, for logs and for people, or undefined when it is missing, is no plain identifier, or
 * gives our own key back to us.
 */
export const requestIdOf = (header: string | undefined, apiKey: string): string | undefined =>
  header === undefined || !SHAPE.test(header) || repeatsSecret(header, apiKey) ? undefined : header;
