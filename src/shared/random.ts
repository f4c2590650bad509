/** Where chance comes from, so that a test can repeat a run. */
export interface Random {
  /** Cryptographically strong bytes in production. */
  readonly bytes: (size: number) => Uint8Array;
  /** A fraction in [0, 1), for jitter only. */
  readonly fraction: () => number;
}

/** So many random bytes as text that may stand in an address, an id or a lease. */
export const randomText = (random: Pick<Random, "bytes">, bytes: number): string =>
  Buffer.from(random.bytes(bytes)).toString("base64url");

const PROCESS_NAME_BYTES = 9;

/** A name by which a process is known in the leases that it takes. */
export const newProcessName = (random: Pick<Random, "bytes">): string =>
  randomText(random, PROCESS_NAME_BYTES);
