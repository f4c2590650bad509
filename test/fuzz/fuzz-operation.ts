import { inspect } from "node:util";
import fc from "fast-check";
import { pino } from "pino";
import { expect } from "vitest";
import type { WalletKey } from "#src/domain/wallet-key.ts";
import { WalletError } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import { noMetrics } from "#src/shared/metrics.ts";
import { Secret } from "#src/shared/secret.ts";
import { createWalletClient, type WalletClient } from "#src/wallet/client.ts";
import {
  allowedMoneyOutcomes,
  allowedOutcomes,
  type MoneyState,
  type OutcomeKind,
} from "./allowed-outcomes.ts";
import {
  malformedAnswers,
  type MoneyOperation,
  type RawAnswer,
  type WalletOperation,
} from "./malformed-answers.ts";
import { type RawServer, startRawServer } from "./raw-server.ts";
import { formsIn, secretForms } from "./secret-forms.ts";

const ANSWERS = 10_000;
const LANES_AT_ONCE = 32;
const SHORT_DEADLINE_MS = 120;
/** Far beyond any deadline, even on a busy machine: what takes longer hangs. */
const HANG_MS = 60_000;

/** Each of its encodings differs from it. */
const API_KEY = 'sk_sandbox_"7f\\c+/=%2B_91e4?';

const DAY = Temporal.PlainDate.from("2025-03-14");

export type Outcome = OutcomeKind | MoneyState;

type Call = (client: WalletClient, key: WalletKey) => Promise<unknown>;

const CALLS: Readonly<Record<WalletOperation, Call>> = {
  salesReport: (client, key) => client.salesReport(key, DAY, "interactive"),
  transaction: (client, key) => client.transaction(key, "a41f07c98e2d", "background"),
  withdrawal: (client, key) => client.withdrawal(key, "w7e20b8d5f31", "money"),
  dispute: (client, key) => client.dispute(key, "b3c5e0f2-66d1", "interactive"),
  disputes: (client, key) => client.disputes(key, "background"),
  disputeSummary: (client, key) => client.disputeSummary(key, "background"),
  splitWithdraw: (client, key) =>
    client.splitWithdraw(key, { recipientUserId: "1184620937715208273", pixKey: "k", turbo: true }),
  withdraw: (client, key) =>
    client.withdraw(key, { amount: cents(12_035), pixKey: "k", turbo: true }),
  cancelWithdrawal: (client, key) => client.cancelWithdrawal(key, "w7e20b8d5f31"),
  balance: (client, key) => client.balance(key, "interactive"),
  withdrawals: (client, key) => client.withdrawals(key, "background"),
  checkPixKey: (client, key) => client.checkPixKey(key, "k", "interactive"),
};

/** Each reaches the service once, whatever comes back. */
const ONCE: readonly WalletOperation[] = [
  "splitWithdraw",
  "withdraw",
  "cancelWithdrawal",
  "checkPixKey",
];

const UNSENT: ReadonlySet<Outcome> = new Set(["not_sent", "unreachable"]);

const isMoney = (operation: WalletOperation): operation is MoneyOperation =>
  operation !== "checkPixKey" && ONCE.includes(operation);

const allowed = (
  operation: WalletOperation,
  answer: RawAnswer,
  echoes: readonly string[],
): readonly Outcome[] =>
  isMoney(operation)
    ? allowedMoneyOutcomes(operation, answer, echoes)
    : allowedOutcomes(operation, answer);

/** A call that moves money has a state; any other that gives a value has read one. */
const outcomeIn = (operation: WalletOperation, value: unknown): Outcome =>
  isMoney(operation) ? (value as { readonly state: MoneyState }).state : "value";

/** One server and its clients, used for one answer at a time. */
interface Booth {
  readonly server: RawServer;
  readonly patient: WalletClient;
  readonly hasty: WalletClient;
}

const openBooth = async (lines: string[]): Promise<Booth> => {
  const server = await startRawServer();
  const log = pino({ level: "trace" }, { write: (line) => void lines.push(line) });
  const random = { bytes: (size: number) => new Uint8Array(size), fraction: () => 0 };
  const clock = { now: () => Temporal.Instant.from("2025-03-14T13:05:10Z") };
  // However many answers are lost, the next one has to be read.
  const limits = { breakerCalls: Infinity };
  const options = { baseUrl: server.baseUrl, clock, random, log, metrics: noMetrics, limits };
  const short = {
    readDeadlineMs: SHORT_DEADLINE_MS,
    moneyDeadlineMs: SHORT_DEADLINE_MS,
    ...limits,
  };
  const patient = createWalletClient(options);
  return { server, patient, hasty: createWalletClient({ ...options, limits: short }) };
};

const closeBooth = async ({ server, patient, hasty }: Booth): Promise<void> => {
  await server.stop();
  await Promise.all([patient.close(), hasty.close()]);
};

/** Numbers are whole (centavos and counts) and nothing is left of the wire but what the domain names. */
const expectValid = (value: unknown): void => {
  if (typeof value === "number") expect(Number.isSafeInteger(value)).toBe(true);
  if (typeof value === "object" && value !== null) Object.values(value).forEach(expectValid);
};

const withinReason = async <T>(work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error("hangs past its deadline"));
  }, HANG_MS);
  return Promise.race([work, promise]).finally(() => {
    clearTimeout(timer);
  });
};

/** Which answer it was, for whoever reads of a failure. */
const toText = ({ pieces, ending }: RawAnswer): string =>
  `${JSON.stringify(Buffer.concat(pieces).toString("latin1").slice(0, 4_000))}, then ${ending}`;

let accounts = 0;

const outcomeOf = async (operation: WalletOperation, booth: Booth, answer: RawAnswer) => {
  const client = answer.ending === "stall" ? booth.hasty : booth.patient;
  const key = { apiKey: new Secret(API_KEY), fingerprint: `account-${(accounts += 1)}` };
  booth.server.answerWith(answer);
  return withinReason(CALLS[operation](client, key)).then(
    (value): { kind: Outcome; shown: string } => {
      expectValid(value);
      return {
        kind: outcomeIn(operation, value),
        shown: inspect(value, { depth: 10 }) + JSON.stringify(value),
      };
    },
    (error: unknown) => {
      if (!(error instanceof WalletError) || isMoney(operation)) throw error;
      const shown = [String(error), inspect(error, { depth: 10, showHidden: true }), error.stack];
      return { kind: error.kind, shown: shown.join("\n") + JSON.stringify(error) };
    },
  );
};

/**
 * Puts 10,000 malformed answers before one operation of the real client, over loopback: each ends, as one of the kinds
 * that it may end as, one that moves money without ever failing, and no error, value or log line holds the API key in any encoding.
 * @returns how many ended as what
 */
export const fuzzOperation = async (
  operation: WalletOperation,
): Promise<ReadonlyMap<Outcome, number>> => {
  const lines: string[] = [];
  const booths = await Promise.all(Array.from({ length: LANES_AT_ONCE }, () => openBooth(lines)));
  const counts = new Map<Outcome, number>();
  // What can stand in a header, so that it is not the server that breaks.
  const echoes = secretForms(API_KEY);
  const batch = fc.array(malformedAnswers(operation, echoes), {
    minLength: LANES_AT_ONCE,
    maxLength: LANES_AT_ONCE,
  });

  const check = async (answers: readonly RawAnswer[]) => {
    const receivedBefore = booths.map(({ server }) => server.received());
    const outcomes = await Promise.all(
      booths.map(async (booth, index) => {
        const answer = answers[index];
        if (answer === undefined) throw new Error("A batch has an answer for each booth");
        const { kind, shown } = await outcomeOf(operation, booth, answer);
        // On a busy machine the short deadline of what stalls may fall before there is a connection.
        const late = answer.ending === "stall" && UNSENT.has(kind);
        if (!late) expect(allowed(operation, answer, echoes), toText(answer)).toContain(kind);
        expect(formsIn(shown, API_KEY), toText(answer)).toEqual([]);
        return kind;
      }),
    );
    if (ONCE.includes(operation)) {
      const received = booths.map(({ server }, n) => server.received() - (receivedBefore[n] ?? 0));
      expect(received).toEqual(outcomes.map((kind) => (UNSENT.has(kind) ? 0 : 1)));
    }
    expect(formsIn(lines.join(""), API_KEY)).toEqual([]);
    lines.length = 0;
    for (const kind of outcomes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  };

  try {
    const numRuns = Math.ceil(ANSWERS / LANES_AT_ONCE);
    // A failure names its answer: making the other 31 of its batch smaller would take minutes and tell nothing.
    await fc.assert(fc.asyncProperty(batch, check), { numRuns, endOnFailure: true });
  } finally {
    await Promise.all(booths.map(closeBooth));
  }
  return counts;
};
