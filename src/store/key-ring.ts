import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { StoreError } from "./errors.ts";

/** What a derived key is for: a value sealed for one purpose cannot be opened for another. */
export type KeyPurpose = "api-key" | "pix-key" | "proof" | "vault-meta";

interface RingKey {
  /** Name of the key; stands in clear in front of everything sealed with it. */
  readonly kid: string;
  readonly derived: Readonly<Record<KeyPurpose, KeyObject>>;
}

export interface KeyRing {
  /** Seals; the others only open. */
  readonly current: RingKey;
  readonly keys: ReadonlyMap<string, RingKey>;
}

const KEY_BYTES = 32;
/** 32 random bytes have fewer distinct values about once in 10^15 keys; typed or repeated text has. */
const FEWEST_DISTINCT_BYTES = 16;

const derive = (key: Uint8Array, purpose: KeyPurpose): KeyObject =>
  createSecretKey(
    Buffer.from(hkdfSync("sha256", key, new Uint8Array(), `balcao|${purpose}|v1`, KEY_BYTES)),
  );

/** The line's key, or what is wrong with it; never its material. */
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
 * Key ring of `kid:base64(32 bytes)` lines; the first is current. Blank lines and lines from `#` on are skipped.
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
