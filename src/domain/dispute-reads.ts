import type { Secret } from "../shared/secret.ts";
import type { Dispute, DisputeSummary } from "./dispute.ts";
import type { DisputePage } from "./dispute-list.ts";
import type { Lane } from "./lane.ts";

/** Whose disputes are read. */
export interface DisputeKey {
  readonly apiKey: Secret;
  /** Keyed hash of the API key: what the account's quota is counted under. */
  readonly fingerprint: string;
}

/** What the wallet service says of disputes. All throw WalletError. */
export interface DisputeReads {
  readonly dispute: (key: DisputeKey, infractionId: string, lane: Lane) => Promise<Dispute>;
  readonly disputes: (key: DisputeKey, lane: Lane) => Promise<DisputePage>;
  readonly disputeSummary: (key: DisputeKey, lane: Lane) => Promise<DisputeSummary>;
}
