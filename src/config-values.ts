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

/** What the address says of TLS, as `pg` 8 reads it: `prefer`, `require` and `verify-ca` verify like `verify-full`. */
const SSL_MODES = new Set([
  "disable",
  "no-verify",
  "prefer",
  "require",
  "verify-ca",
  "verify-full",
]);

/** A parameter given twice counts as `pg` counts it: the last one. */
const parameterOf = (url: URL, name: string): string | undefined =>
  url.searchParams.getAll(name).at(-1);

const hostOf = (url: URL): string =>
  parameterOf(url, "host") || decodeURIComponent(url.hostname) || "localhost";

/** The way to a loopback address or to a socket does not leave this machine. */
const staysOnMachine = (host: string): boolean =>
  host === "::1" || host.startsWith("/") || isLoopback(host);

/** Names the host, which `pg` would otherwise take from the environment. */
const withHost = (text: string, url: URL): string =>
  parameterOf(url, "host") || url.hostname
    ? text
    : `${text}${url.search === "" ? "?" : "&"}host=localhost`;

/** Where the data is: a SQLite file, memory, or PostgreSQL, which across a network needs TLS or the word against it. */
export const databaseUrl = z.string().transform((text, check) => {
  if (/^sqlite:.+/.test(text)) return text;
  const url = /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const mode = url && parameterOf(url, "sslmode");
  if (url === undefined) {
    check.addIssue({
      code: "custom",
      message: "must be sqlite:PATH, sqlite::memory: or postgres://…",
    });
  } else if (mode === undefined ? !staysOnMachine(hostOf(url)) : !SSL_MODES.has(mode)) {
    check.addIssue({
      code: "custom",
      message:
        "must say whether a server on another machine is asked by TLS: add ?sslmode=verify-full (or sslmode=disable where the network itself is safe)",
    });
  } else return withHost(text, url);
  return z.NEVER;
});

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
