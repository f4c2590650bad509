/** Where chance comes from, so that a test can repeat a run. */
export interface Random {
  /** Cryptographically strong bytes in production. */
  readonly bytes: (size: number) => Uint8Array;
  /** A fraction in [0, 1), for jitter only. */
  readonly fraction: () => number;
}
