import { readdirSync, readFileSync } from "node:fs";

import fc from "fast-check";

import type { OperationName } from "../wallet/calls.ts";
import { damagedBytes, somethingElse } from "./malformed-bytes.ts";
import { duplicatedField, structurallyWrong } from "./malformed-json.ts";

/** The server's behaviour on one connection, in answer to one request. */
export interface RawAnswer {
  /** Sent in order, with a pause between two pieces. */
  readonly pieces: readonly Buffer[];
  /** Afterwards: keep the connection, end it, reset it, or stall for ever. */
  readonly ending: "keep" | "end" | "reset" | "stall";
  /** Status and body, when the HTTP framing is valid and complete. */
  readonly whole: { readonly status: number; readonly body: Buffer } | undefined;
}

const FIXTURES = new URL("../fixtures/wallet/", import.meta.url);

const SAMPLES: Readonly<Record<OperationName, RegExp>> = {
  salesReport: /^(sales-report|error)\b/,
  transaction: /^(transaction|error)\b/,
  transactions: /^(assumed-transactions|error)\b/,
  withdrawal: /^(withdrawal|error)\b/,
  dispute: /^(med|error)\./,
  disputes: /^(assumed-meds|error)\b/,
  disputeSummary: /^(meds-summary|error)\b/,
  splitWithdraw: /^(split-withdraw(?!\.request)|error)\b/,
  createCharge: /^(assumed-charge\.|split-withdraw\.error|error)/,
  chargeStatus: /^(assumed-charge-status|error)\b/,
  withdraw: /^(assumed-withdraw\.|split-withdraw\.error|error)/,
  cancelWithdrawal: /^(assumed-withdraw-cancel|split-withdraw\.error|error)\b/,
  refund: /^(assumed-refund|split-withdraw\.error|error)\b/,
  balance: /^(assumed-balance|error)\b/,
  withdrawals: /^(assumed-withdrawals|error)\b/,
  checkPixKey: /^(assumed-pix-validate|error)\b/,
};

/** Documented or assumed bodies of an operation, successes and failures, without line breaks. */
const samplesOf = (operation: OperationName): readonly string[] =>
  readdirSync(FIXTURES)
    .filter((name) => SAMPLES[operation].test(name))
    .map((name) => JSON.stringify(JSON.parse(readFileSync(new URL(name, FIXTURES), "utf8"))));

const NAMED_STATUSES = [
  201, 202, 203, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 408, 409, 410,
  413, 418, 422, 425, 429, 500, 501, 502, 503, 504, 520, 599, 600, 799, 999,
];

const statuses = fc.oneof(
  { weight: 6, arbitrary: fc.constant(200) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...NAMED_STATUSES),
  },
  { weight: 1, arbitrary: fc.integer({ min: 200, max: 999 }) },
);

const NO_BODY = new Set([204, 205, 304]);

const headersWith = (echoes: readonly string[]): fc.Arbitrary<readonly string[]> =>
  fc.subarray([
    "content-type: application/json",
    "content-type: text/html; charset=iso-8859-1",
    "content-encoding: gzip",
    "x-request-id: req_f00d",
    "x-request-id: <b>@everyone</b>",
    "retry-after: 3600",
    "retry-after: soon",
    "location: /v1/balance",
    "location: http://127.0.0.1:1/",
    "set-cookie: a=b",
    ...echoes.map((echo) => `x-request-id: ${echo}`),
    ...echoes.map((echo) => `retry-after: ${echo}`),
  ]);

const bodies = (operation: OperationName, echoes: readonly string[]): fc.Arbitrary<Buffer> => {
  const samples = samplesOf(operation);
  return fc.oneof(
    { weight: 5, arbitrary: structurallyWrong(samples, echoes).map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: duplicatedField(samples).map((text) => Buffer.from(text)) },
    { weight: 3, arbitrary: damagedBytes(samples) },
    { weight: 2, arbitrary: somethingElse(echoes) },
    { weight: 1, arbitrary: fc.constantFrom(...samples).map((text) => Buffer.from(text)) },
  );
};

const head = (status: number, headers: readonly string[]): Buffer =>
  Buffer.from([`HTTP/1.1 ${status} X`, ...headers, "", ""].join("\r\n"), "latin1");

const chunked = (body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(body.length === 0 ? "" : `${body.length.toString(16)}\r\n`),
    body,
    Buffer.from(body.length === 0 ? "0\r\n\r\n" : "\r\n0\r\n\r\n"),
  ]);

/** Malformed content in valid HTTP framing. */
const framed = (operation: OperationName, echoes: readonly string[]): fc.Arbitrary<RawAnswer> =>
  fc
    .tuple(
      statuses,
      headersWith(echoes),
      bodies(operation, echoes),
      fc.constantFrom("length", "length", "chunked", "until-end"),
      fc.boolean(),
    )
    .map(([status, headers, content, framing, split]) => {
      const body = NO_BODY.has(status) ? Buffer.alloc(0) : content;
      const length = framing === "length" ? [`content-length: ${body.length}`] : [];
      const chunks = framing === "chunked" ? ["transfer-encoding: chunked"] : [];
      const start = head(status, [...headers, ...length, ...chunks]);
      const rest = framing === "chunked" ? chunked(body) : body;
      const pieces = split ? [start, rest] : [Buffer.concat([start, rest])];
      const ending = framing === "until-end" || NO_BODY.has(status) ? "end" : "keep";
      return { pieces, ending, whole: { status, body } };
    });

/** Malformed or truncated HTTP; the connection ends with it. */
const broken = (operation: OperationName, echoes: readonly string[]): fc.Arbitrary<RawAnswer> =>
  fc
    .tuple(
      bodies(operation, echoes),
      fc.constantFrom(
        "HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n",
        "HTTP/1.1 99 Low\r\n\r\n",
        "HTTP/1.1 2x0 OK\r\n\r\n",
        "HTTP/2 200\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "SSH-2.0-OpenSSH\r\n",
        `HTTP/1.1 200 OK\r\nx-long: ${"x".repeat(20_000)}\r\n\r\n`,
        "HTTP/1.1 200 OK\r\nbad header\r\n\r\n",
        "\u0016\u0003\u0001",
        "",
        ...echoes.map((echo) => `HTTP/1.1 200 ${echo}\r\n${echo}: 1\r\n\r\n`),
        ...echoes.map((echo) => `${echo}\r\n\r\n`),
      ),
      fc.constantFrom("end" as const, "end" as const, "reset" as const),
    )
    .map(([body, start, ending]) => ({
      pieces: [Buffer.concat([Buffer.from(start, "latin1"), body])],
      ending,
      whole: undefined,
    }));

/** Unfinished answers, which only a deadline ends. */
const stalling = (operation: OperationName, echoes: readonly string[]): fc.Arbitrary<RawAnswer> =>
  fc.tuple(bodies(operation, echoes), fc.nat(200)).map(([body, cut]) => {
    const whole = Buffer.concat([head(200, [`content-length: ${body.length + 1}`]), body]);
    const sent = whole.subarray(0, cut);
    const pieces = [sent.subarray(0, 20), sent.subarray(20)].filter(({ length }) => length > 0);
    return { pieces, ending: "stall", whole: undefined };
  });

/**
 * Undocumented answers, mixed with documented ones for contrast. `echoes` are texts that must never reach our output,
 * such as an API key: they are inserted wherever a text fits.
 */
export const malformedAnswers = (
  operation: OperationName,
  echoes: readonly string[],
): fc.Arbitrary<RawAnswer> =>
  fc.oneof(
    { weight: 170, arbitrary: framed(operation, echoes) },
    { weight: 28, arbitrary: broken(operation, echoes) },
    { weight: 1, arbitrary: stalling(operation, echoes) },
  );
