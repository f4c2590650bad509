import { createCipheriv, createDecipheriv } from "node:crypto";
import { StoreError } from "./errors.ts";
import type { KeyPurpose, KeyRing } from "./key-ring.ts";

/** What a sealed text is bound to: it opens only for the same purpose and the same context. */
export interface Binding {
  readonly purpose: KeyPurpose;
  /** Authenticated with the text, not kept in it. */
  readonly context: string;
}

const ALGORITHM = "aes-256-gcm";
const VERSION = "v1";
export const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `v1.<kid>.<iv>.<ciphertext>.<tag>` in base64url, sealed with the current key. `iv` must be random and new. */
export const sealText = (ring: KeyRing, binding: Binding, text: string, iv: Uint8Array): string => {
  const { kid, derived } = ring.current;
  const cipher = createCipheriv(ALGORITHM, derived[binding.purpose], iv, {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(Buffer.from(binding.context));
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const parts = [Buffer.from(iv), ciphertext, cipher.getAuthTag()];
  return [VERSION, kid, ...parts.map((part) => part.toString("base64url"))].join(".");
};

/** The bytes, or undefined unless the text is the one and only way to write them. */
const bytesOf = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
};

const unreadable = (reason: string, cause?: unknown): StoreError =>
  new StoreError("unreadable_secret", `A sealed value cannot be opened: ${reason}`, cause);

/** Name of the key that a text was sealed with, as it says itself; undefined when it is no sealed text. */
export const kidOf = (sealed: string): string | undefined => {
  const [version, kid, ...rest] = sealed.split(".");
  return version === VERSION && rest.length === 3 ? kid : undefined;
};

/**
 * Opens what any key of the ring sealed for the same binding.
 * @throws StoreError unreadable_secret when one bit differs, the key is not in the ring, or the binding is another.
 */
export const openText = (ring: KeyRing, binding: Binding, sealed: string): string => {
  const [version, kid = "", ivText = "", ciphertextText = "", tagText = "", ...more] =
    sealed.split(".");
  const iv = bytesOf(ivText);
  const ciphertext = bytesOf(ciphertextText);
  const tag = bytesOf(tagText);
  if (version !== VERSION || more.length > 0 || ciphertext === undefined) {
    throw unreadable("it is damaged");
  }
  if (iv?.length !== IV_BYTES || tag?.length !== TAG_BYTES) throw unreadable("it is damaged");
  const key = ring.keys.get(kid);
  if (key === undefined) throw unreadable("its key is not in the key ring");
  try {
    const decipher = createDecipheriv(ALGORITHM, key.derived[binding.purpose], iv, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(binding.context)).setAuthTag(tag);
    // Nothing that `update` gives away may be used before `final` has checked the tag.
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
  } catch (error) {
    throw unreadable("it was changed, or belongs to another row, key or wallet service", error);
  }
};
