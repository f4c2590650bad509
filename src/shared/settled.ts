import { UserError, type UserErrorReason, WalletError, type WalletErrorKind } from "./errors.ts";

/** An answer of the wallet service, or its error. */
export type Result<Answer> =
  | { readonly ok: true; readonly value: Answer }
  | { readonly ok: false; readonly error: WalletError };

/** Turns a failed read into a value, for callers that can do without it. Other errors pass through. */
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

/** The answer to a read by id. @throws UserError `missing` where the service knows no such id; WalletError */
export const foundOr = <Answer>(read: Result<Answer>, missing: UserErrorReason): Answer => {
  if (read.ok) return read.value;
  throw read.error.kind === "not_found" ? new UserError(missing) : read.error;
};

/**
 * A refused key fails every read, so it is reported at once.
 * @throws WalletError unauthorized
 */
export const requireAuthorized = (...readings: readonly Result<unknown>[]): void => {
  for (const read of readings) {
    if (!read.ok && read.error.kind === "unauthorized") throw read.error;
  }
};

/** Why a read failed. A proxy's answer is none of the service, which may answer the same request in a while. */
export const problemOf = ({ kind, isForeign }: WalletError): WalletErrorKind =>
  isForeign ? "unavailable" : kind;

/** Why reads failed, each reason once. */
export const problemsOf = (readings: readonly Result<unknown>[]): readonly WalletErrorKind[] => [
  ...new Set(readings.flatMap((read) => (read.ok ? [] : [read.error.kind]))),
];

/** A reference for the support for each failed read: the service's, or else ours. */
export const supportCodesOf = (readings: readonly Result<unknown>[]): readonly string[] =>
  codesOfErrors(readings.flatMap((read) => (read.ok ? [] : [read.error])));

export const codesOfErrors = (errors: readonly WalletError[]): readonly string[] =>
  errors.flatMap(({ requestId, reference }) => requestId ?? reference ?? []);
