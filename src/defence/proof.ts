import { createHash } from "node:crypto";
import { MINUTE } from "../shared/time.ts";

/** A message that a seller keeps as proof of a sale. Stored encrypted as a whole; attachments are not downloaded. */
export interface ProofContent {
  readonly messageId: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly authorName: string;
  readonly writtenAt: Temporal.Instant;
  readonly editedAt: Temporal.Instant | undefined;
  readonly text: string;
  /** Names of the attachments, whose addresses expire within a day. */
  readonly attachments: readonly string[];
  /** Whether the author only forwarded it. */
  readonly forwarded: boolean;
  /** Of `proofDigest`. */
  readonly sha256: string;
}

type Hashed = Omit<ProofContent, "messageId" | "channelId" | "sha256">;

/**
 * A message's canonical text: the JSON list of its author's id and name, the times of writing and last edit (ISO 8601
 * in UTC, or null), its text and the names of its attachments, and for a forward the word `forwarded`.
 */
export const canonicalText = (message: Hashed): string => {
  const { authorId, authorName, writtenAt, editedAt, text, attachments, forwarded } = message;
  return JSON.stringify([
    authorId,
    authorName,
    writtenAt.toString(),
    editedAt?.toString() ?? null,
    text,
    attachments,
    ...(forwarded ? ["forwarded"] : []),
  ]);
};

/**
 * SHA-256, in hexadecimal, of the canonical text. It proves that a kept proof is unchanged, not who wrote it. Of rows
 * kept before names were, it covers the addresses, which the sealed row still has; of some older edits, microseconds.
 */
export const proofDigest = (message: Hashed): string =>
  createHash("sha256").update(canonicalText(message)).digest("hex");

export interface Proof {
  readonly id: string;
  readonly guildId: string;
  /** Sale that it proves. */
  readonly txid: string;
  readonly keptAt: Temporal.Instant;
  readonly content: ProofContent;
}

/** A stored proof. `isNew` is false when the sale already had the same message. */
export interface KeptProof {
  readonly proof: Proof;
  readonly isNew: boolean;
}

/** `isSaleMissing`: the service shows no such sale to the person's key. */
export type TiedProof = KeptProof & { readonly isSaleMissing: boolean };

/** Time that a message waits for its txid. */
export const PENDING_PROOF_MS = 15 * MINUTE;

/** Pending messages allowed for each owner. */
export const MOST_PENDING_PROOFS = 10;

/** Proofs of each owner across guilds. They are erased with the owner's last connection. */
export interface Proofs {
  /**
   * Stores a message until its txid is known. Above the limit the owner's oldest pending message is dropped.
   * @returns an opaque id
   */
  readonly keepPending: (
    ownerId: string,
    guildId: string,
    content: ProofContent,
    at: Temporal.Instant,
  ) => Promise<string>;
  /**
   * Assigns a pending message to a sale. If the sale already has a proof with the same SHA-256, that proof stays and
   * the message is dropped. Undefined: not the owner's, already assigned, or older than `PENDING_PROOF_MS`.
   * @throws StoreError unreadable_secret
   */
  readonly tie: (
    ownerId: string,
    pendingId: string,
    txid: string,
    at: Temporal.Instant,
  ) => Promise<KeptProof | undefined>;
  /** Those kept with the code, in any case of its letters. Oldest first. @throws StoreError unreadable_secret */
  readonly ofTxid: (ownerId: string, txid: string) => Promise<readonly Proof[]>;
  /** Finds an assigned proof of the owner. @throws StoreError unreadable_secret */
  readonly find: (ownerId: string, id: string) => Promise<Proof | undefined>;
  /** Number of the owner's assigned proofs, without decryption. */
  readonly count: (ownerId: string) => Promise<number>;
  /** Assigned proofs, newest first. @throws StoreError unreadable_secret */
  readonly list: (ownerId: string) => Promise<readonly Proof[]>;
  readonly remove: (ownerId: string, id: string, at: Temporal.Instant) => Promise<boolean>;
  /** Erases those that wait for a txid since before then. */
  readonly purgePending: (before: Temporal.Instant) => Promise<void>;
}
