/** Source of randomness; tests pass one that they can repeat. */
export interface Random {
  /** Cryptographically strong bytes in production. */
  readonly bytes: (size: number) => Uint8Array;
  /** A fraction in [0, 1), for jitter only. */
  readonly fraction: () => number;
}

/** Random bytes as base64url text, safe in addresses, ids and leases. */
export const randomText = (random: Pick<Random, "bytes">, bytes: number): string =>
  Buffer.from(random.bytes(bytes)).toString("base64url");

const PROCESS_NAME_BYTES = 9;

/** Name of this process in the leases that it takes. */
export const newProcessName = (random: Pick<Random, "bytes">): string =>
  randomText(random, PROCESS_NAME_BYTES);
