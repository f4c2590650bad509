import { z } from "zod";

const LONGEST_PAGE_URL = 300;

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);

const baseUrl = z.string().transform((text, check) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.search ||
    url.hash ||
    url.username
  ) {
    check.addIssue({ code: "custom", message: "must be an address such as https://example.com" });
    return z.NEVER;
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    check.addIssue({ code: "custom", message: "must be https (http only on loopback)" });
    return z.NEVER;
  }
  return url.href.replace(/\/+$/, "");
});

/** Address of the wallet service, without `/v1` and without a slash at its end. */
export const walletBaseUrl = baseUrl.refine(
  (url) => !url.endsWith("/v1"),
  "must not end in /v1: the bot adds it",
);
/** Address of Discord's REST API, without version and without a slash at its end. */
export const discordApiUrl = baseUrl.refine(
  (url) => !/\/v\d+$/.test(url),
  "must not end in a version: the bot adds it",
);

/** A page that people open: https, as it is shown in a message. */
export const pageUrl = z.string().transform((text, check) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isShown = url !== undefined && url.href.length <= LONGEST_PAGE_URL && !url.username;
  if (isShown && url.protocol === "https:" && !/[<>()`]/.test(url.href)) return url.href;
  check.addIssue({ code: "custom", message: "must be an address such as https://example.com/med" });
  return z.NEVER;
});

/** Where the data is: a SQLite file, memory, or PostgreSQL. */
export const databaseUrl = z
  .string()
  .refine(
    (url) => /^sqlite:.+/.test(url) || (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)),
    "must be sqlite:PATH, sqlite::memory: or postgres://…",
  );

/** A whole number within bounds, of at most six digits. */
export const wholeNumber = (smallest: number, largest: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, `must be a whole number from ${smallest} to ${largest}`)
    .transform(Number)
    .refine(
      (value) => value >= smallest && value <= largest,
      `must be a whole number from ${smallest} to ${largest}`,
    );

/** `0-3` or `0,1`: the shards of one process. */
export const shards = z.string().transform((text, check) => {
  const range = /^(\d{1,5})-(\d{1,5})$/.exec(text);
  if (range) {
    const [first, last] = [Number(range[1]), Number(range[2])];
    if (first <= last && last - first < 1_000)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  }
  if (/^\d{1,5}(,\d{1,5})*$/.test(text)) return [...new Set(text.split(",").map(Number))];
  check.addIssue({ code: "custom", message: "must be like 0-3 or 0,1" });
  return z.NEVER;
});

/** On or off. */
export const flag = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((text) => text === "true");
