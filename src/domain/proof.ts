import { MINUTE } from "../shared/time.ts";

/** What a message says, kept by a seller as a proof of a sale. Kept sealed as a whole; nothing of it is downloaded. */
export interface ProofContent {
  readonly messageId: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly authorName: string;
  readonly writtenAt: Temporal.Instant;
  readonly editedAt: Temporal.Instant | undefined;
  readonly text: string;
  /** Addresses of what is attached. */
  readonly links: readonly string[];
  /** Of the canonical text, hexadecimal. */
  readonly sha256: string;
}

export interface Proof {
  readonly id: string;
  readonly guildId: string;
  /** The sale that it is of. */
  readonly txid: string;
  readonly keptAt: Temporal.Instant;
  readonly content: ProofContent;
}

/** A proof with whether it was only now kept: the same message is kept once for a sale. */
export interface KeptProof {
  readonly proof: Proof;
  readonly isNew: boolean;
}

/** How long a proof waits for the txid that it is of. */
export const PENDING_PROOF_MS = 15 * MINUTE;

/** Messages of one owner that may wait at the same time. */
export const MOST_PENDING_PROOFS = 10;

/** Proofs of each owner, in whichever guild they were kept. They go with the owner's last connection. */
export interface Proofs {
  /**
   * Keeps a message that waits for its txid. Where the owner has as many that wait as there may be, the oldest goes.
   * @returns its id, which says nothing of it
   */
  readonly keepPending: (
    ownerId: string,
    guildId: string,
    content: ProofContent,
    at: Temporal.Instant,
  ) => Promise<string>;
  /**
   * Ends the wait of a message. Where one of the same SHA-256 is the sale's already, that one stays and this one goes.
   * Undefined: it is not the owner's, has a txid already, or waited for longer than `PENDING_PROOF_MS`.
   * @throws StoreError unreadable_secret
   */
  readonly tie: (
    ownerId: string,
    pendingId: string,
    txid: string,
    at: Temporal.Instant,
  ) => Promise<KeptProof | undefined>;
  /** In the order in which the messages were kept. @throws StoreError unreadable_secret */
  readonly ofTxid: (ownerId: string, txid: string) => Promise<readonly Proof[]>;
  /** One of the owner's that has a txid. @throws StoreError unreadable_secret */
  readonly find: (ownerId: string, id: string) => Promise<Proof | undefined>;
  /** How many of the owner's have a txid, without opening any. */
  readonly count: (ownerId: string) => Promise<number>;
  /** Newest first; those that wait for a txid are not among them. @throws StoreError unreadable_secret */
  readonly list: (ownerId: string) => Promise<readonly Proof[]>;
  readonly remove: (ownerId: string, id: string, at: Temporal.Instant) => Promise<boolean>;
  /** Erases those that wait for a txid since before then. */
  readonly purgePending: (before: Temporal.Instant) => Promise<void>;
}
