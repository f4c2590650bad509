import type { Secret } from "../shared/secret.ts";

/** Whose account a call is for. */
export interface WalletKey {
  readonly apiKey: Secret;
  /** Keyed hash of the API key: what the account's quota is counted under. */
  readonly fingerprint: string;
}
