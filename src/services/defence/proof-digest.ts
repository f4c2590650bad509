import { createHash } from "node:crypto";
import type { KeptMessage } from "./proof-services.ts";

/**
 * SHA-256, hexadecimal, over the canonical text of a message: the JSON list of its author's id and name, when it was
 * written and last edited (ISO 8601 in UTC, or null), its text and its links. It shows that a kept proof was not changed
 * since; it does not show who wrote it.
 */
export const proofDigest = (message: Omit<KeptMessage, "messageId" | "channelId">): string => {
  const { authorId, authorName, writtenAt, editedAt, text, links } = message;
  const canonical = [
    authorId,
    authorName,
    writtenAt.toString(),
    editedAt?.toString() ?? null,
    text,
    links,
  ];
  return createHash("sha256").update(JSON.stringify(canonical)).digest("hex");
};
