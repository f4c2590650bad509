import type { Reading } from "./operation.ts";

/** What an answer with `success: true` stands for, once the service accepted to move money. */
export interface AcceptedForm<Accepted> {
  readonly read: (answer: object) => Reading<Accepted>;
  /** What of it has to be known, for an answer whose other texts are not wanted. */
  readonly essence: (accepted: Accepted) => Accepted;
}

/** One POST that moves money, with its parameters filled in. Its route has no parameters, so it is its path too. */
export interface MoneyOperation<Accepted> {
  readonly route: string;
  /** Undefined: what was asked for cannot be asked for, and nothing may be sent. */
  readonly body: string | undefined;
  readonly accepted: AcceptedForm<Accepted>;
}
