import { inspect } from "node:util";
import fc from "fast-check";
import { pino } from "pino";
import { expect } from "vitest";
import { WalletError } from "#src/shared/errors.ts";
import { noMetrics } from "#src/shared/metrics.ts";
import { Secret } from "#src/shared/secret.ts";
import { createWalletClient, type WalletClient } from "#src/wallet/client.ts";
import {
  allowedMoneyOutcomes,
  allowedOutcomes,
  type MoneyState,
  type OutcomeKind,
} from "./allowed-outcomes.ts";
import { callsWith, isMoney, moneyNames, type OperationName } from "../wallet/calls.ts";
import { malformedAnswers, type RawAnswer } from "./malformed-answers.ts";
import { type RawServer, startRawServer } from "./raw-server.ts";
import { formsIn, secretForms } from "./secret-forms.ts";

const ANSWERS = 10_000;
const LANES_AT_ONCE = 32;
const SHORT_DEADLINE_MS = 120;
/** Far beyond any deadline even on a busy machine: a longer call hangs. */
const HANG_MS = 60_000;

/** Every encoding of it differs. */
const API_KEY = 'sk_sandbox_"7f\\c+/=%2B_91e4?';

export type Outcome = OutcomeKind | MoneyState;

/** Operations that send exactly one request, whatever the answer. */
const ONCE: readonly OperationName[] = [...moneyNames, "checkPixKey"];

const PRIORITIES = ["money", "interactive", "background"] as const;

const UNSENT: ReadonlySet<Outcome> = new Set(["not_sent", "unreachable"]);

const allowed = (
  operation: OperationName,
  answer: RawAnswer,
  echoes: readonly string[],
): readonly Outcome[] =>
  isMoney(operation)
    ? allowedMoneyOutcomes(operation, answer, echoes)
    : allowedOutcomes(operation, answer);

/** A call that moves money returns a state; any other returns a value. */
const outcomeIn = (operation: OperationName, value: unknown): Outcome =>
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
  // Many lost answers must not open the circuit breaker, and a machine that pauses for seconds still connects.
  const limits = { breakerCalls: Infinity, connectTimeoutMs: HANG_MS };
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

/** Expects integers only (centavos and counts) and no wire fields beyond those of the domain. */
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

/** Describes the answer in a failure's message. */
const toText = ({ pieces, ending }: RawAnswer): string =>
  `${JSON.stringify(Buffer.concat(pieces).toString("latin1").slice(0, 4_000))}, then ${ending}`;

let accounts = 0;

/** An answer to a call. */
interface Fuzzed {
  readonly answer: RawAnswer;
  readonly priority: (typeof PRIORITIES)[number];
  readonly cursor: string | undefined;
}

const outcomeOf = async (
  operation: OperationName,
  booth: Booth,
  { answer, priority, cursor }: Fuzzed,
) => {
  const client = answer.ending === "stall" ? booth.hasty : booth.patient;
  const key = { apiKey: new Secret(API_KEY), fingerprint: `account-${(accounts += 1)}` };
  booth.server.answerWith(answer);
  return withinReason(callsWith(priority, cursor)[operation](client, key)).then(
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
 * Gives 10,000 malformed answers to one operation of the real client, over loopback. Each call must end in a permitted
 * kind, calls that move money must never throw, and errors, values and log lines must never contain the API key in any
 * encoding.
 * @returns the number of calls by outcome
 */
export const fuzzOperation = async (
  operation: OperationName,
): Promise<ReadonlyMap<Outcome, number>> => {
  const lines: string[] = [];
  const booths = await Promise.all(Array.from({ length: LANES_AT_ONCE }, () => openBooth(lines)));
  const counts = new Map<Outcome, number>();
  // Only text that is valid in a header; otherwise the test server itself would fail.
  const echoes = secretForms(API_KEY);
  const fuzzed = fc.record({
    answer: malformedAnswers(operation, echoes),
    priority: fc.constantFrom(...PRIORITIES),
    cursor: fc.constantFrom(undefined, "page=2"),
  });
  const batch = fc.array(fuzzed, { minLength: LANES_AT_ONCE, maxLength: LANES_AT_ONCE });

  const check = async (calls: readonly Fuzzed[]) => {
    const receivedBefore = booths.map(({ server }) => server.received());
    const outcomes = await Promise.all(
      booths.map(async (booth, index) => {
        const call = calls[index];
        if (call === undefined) throw new Error("A batch has an answer for each booth");
        const { answer } = call;
        const { kind, shown } = await outcomeOf(operation, booth, call);
        // On a busy machine the short deadline for stalled answers may expire before the connection exists.
        const late = answer.ending === "stall" && UNSENT.has(kind);
        const failure = `${toText(answer)} gave ${shown.slice(0, 1_000)}`;
        if (!late) expect(allowed(operation, answer, echoes), failure).toContain(kind);
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
    // A failure names its answer; shrinking the other 31 of its batch would take minutes.
    await fc.assert(fc.asyncProperty(batch, check), { numRuns, endOnFailure: true });
  } finally {
    await Promise.all(booths.map(closeBooth));
  }
  return counts;
};
