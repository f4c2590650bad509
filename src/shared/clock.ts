/** Where the time comes from: the system in production, a clock that tests and the sandbox can move elsewhere. */
export interface Clock {
  readonly now: () => Temporal.Instant;
}
