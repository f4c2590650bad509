import type { Dispute, DisputeSummary } from "./dispute.ts";
import type { DisputePage } from "./dispute-list.ts";
import type { Lane } from "./lane.ts";
import type { WalletKey } from "./wallet-key.ts";

/** What the wallet service says of disputes. All throw WalletError. */
export interface DisputeReads {
  readonly dispute: (key: WalletKey, infractionId: string, lane: Lane) => Promise<Dispute>;
  readonly disputes: (key: WalletKey, lane: Lane) => Promise<DisputePage>;
  readonly disputeSummary: (key: WalletKey, lane: Lane) => Promise<DisputeSummary>;
}
