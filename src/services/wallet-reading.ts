import { WalletError } from "../shared/errors.ts";

/** An answer of the wallet service, or why there is none. */
export type Result<Answer> =
  | { readonly ok: true; readonly value: Answer }
  | { readonly ok: false; readonly error: WalletError };

/** Turns a failed read into a value, for readers that can do without it. Other errors pass through. */
export const settled = async <Answer>(call: Promise<Answer>): Promise<Result<Answer>> => {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (error instanceof WalletError) return { ok: false, error };
    throw error;
  }
};

export const valueOf = <Answer>(read: Result<Answer>): Answer | undefined =>
  read.ok ? read.value : undefined;

/**
 * A refused key makes all readings useless, so it is told at once.
 * @throws WalletError unauthorized
 */
export const requireAuthorized = (...readings: readonly Result<unknown>[]): void => {
  for (const read of readings) {
    if (!read.ok && read.error.kind === "unauthorized") throw read.error;
  }
};

/** What leads the support, the service's or ours, to each read that failed. */
export const supportCodesOf = (readings: readonly Result<unknown>[]): readonly string[] =>
  readings.flatMap((read) => (read.ok ? [] : (read.error.requestId ?? read.error.reference ?? [])));
