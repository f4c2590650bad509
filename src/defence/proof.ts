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

/** Proofs that the key ring opens, and the number of those that it does not. */
export interface KeptProofs {
  readonly proofs: readonly Proof[];
  readonly unreadable: number;
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
