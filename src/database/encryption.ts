import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import { StoreError } from "../shared/store-errors.ts";

/** The use of a derived key: a value sealed for one purpose does not open for another. */
type KeyPurpose = "api-key" | "pix-key" | "proof" | "vault-meta";

interface RingKey {
  /** Name of the key, stored in clear text in front of each value sealed with it. */
  readonly kid: string;
  readonly derived: Readonly<Record<KeyPurpose, KeyObject>>;
}

export interface KeyRing {
  /** Seals new values; the other keys only open old ones. */
  readonly current: RingKey;
  readonly keys: ReadonlyMap<string, RingKey>;
}

const KEY_BYTES = 32;
/** 32 random bytes have fewer distinct values once in about 10^15 keys. Typed or repeated text has fewer. */
const FEWEST_DISTINCT_BYTES = 16;

const derive = (key: Uint8Array, purpose: KeyPurpose): KeyObject =>
  createSecretKey(
    Buffer.from(hkdfSync("sha256", key, new Uint8Array(), `balcao|${purpose}|v1`, KEY_BYTES)),
  );

/** The line's key, or the line's problem in words; never key material. */
const readLine = (line: string): { kid: string; bytes: Buffer } | string => {
  const match = /^([\w-]{1,32}):([A-Za-z\d+/]{43}=?)$/.exec(line);
  const [, kid, text] = match ?? [];
  if (kid === undefined || text === undefined) {
    return "must be NAME:BASE64, a name of letters, digits, - and _ and 32 bytes in base64";
  }
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== KEY_BYTES) return "must hold 32 bytes in base64";
  if (new Set(bytes).size < FEWEST_DISTINCT_BYTES) return "is not random: openssl rand -base64 32";
  return { kid, bytes };
};

/**
 * Parses lines of `kid:base64(32 bytes)`; the first key is current. Skips blank lines and lines that begin with `#`.
 * @throws StoreError malformed_key_ring with every problem, never with key material.
 */
export const parseKeyRing = (text: string): KeyRing => {
  const problems: string[] = [];
  const keys = new Map<string, RingKey>();
  const seen = new Map<string, string>();
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const read = readLine(line);
    if (typeof read === "string") {
      problems.push(`line ${index + 1} ${read}`);
      continue;
    }
    const { kid, bytes } = read;
    const twin = seen.get(bytes.toString("hex"));
    if (keys.has(kid)) problems.push(`line ${index + 1} repeats the name ${kid}`);
    else if (twin !== undefined) problems.push(`line ${index + 1} has the same key as ${twin}`);
    seen.set(bytes.toString("hex"), kid);
    keys.set(kid, {
      kid,
      derived: {
        "api-key": derive(bytes, "api-key"),
        "pix-key": derive(bytes, "pix-key"),
        proof: derive(bytes, "proof"),
        "vault-meta": derive(bytes, "vault-meta"),
      },
    });
  }
  const [current] = keys.values();
  if (current === undefined && problems.length === 0) problems.push("it has no key");
  if (current === undefined || problems.length > 0) {
    throw new StoreError(
      "malformed_key_ring",
      `The key ring is not usable: ${problems.join("; ")}`,
    );
  }
  return { current, keys };
};

/** A sealed text opens only with the purpose and the context that it was sealed with. */
export interface Binding {
  readonly purpose: KeyPurpose;
  /** Authenticated with the text, but not stored in it. */
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

/** The bytes, or undefined for a text that is not the canonical base64url of its bytes. */
const bytesOf = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
};

const unreadable = (reason: string, cause?: unknown): StoreError =>
  new StoreError("unreadable_secret", `A sealed value cannot be opened: ${reason}`, cause);

/** Name of the key that sealed the text; undefined when the text is not a sealed text. */
export const kidOf = (sealed: string): string | undefined => {
  const [version, kid, ...rest] = sealed.split(".");
  return version === VERSION && rest.length === 3 ? kid : undefined;
};

/**
 * Opens a text that any key of the ring sealed for this binding.
 * @throws StoreError unreadable_secret when a bit differs, the key is not in the ring, or the binding differs.
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
    // `final` checks the tag: the output of `update` must not be used before.
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
  } catch (error) {
    throw unreadable("it was changed, or belongs to another row, key or wallet service", error);
  }
};
