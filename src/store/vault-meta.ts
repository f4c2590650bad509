import { type Random, randomText } from "../shared/random.ts";
import { StoreError } from "./errors.ts";
import type { KeyRing } from "./key-ring.ts";
import type { Database } from "./schema.ts";
import { type Binding, IV_BYTES, kidOf, openText, sealText } from "./sealed-text.ts";

/** Rows of `meta` that are sealed with the key ring. */
export const SEALED_META = ["canary", "fingerprint_key"] as const;
type SealedMeta = (typeof SEALED_META)[number];

const ENVIRONMENT = "wallet_environment";
const CANARY = "balcao";
const FINGERPRINT_KEY_BYTES = 32;

export const metaBinding = (name: SealedMeta, walletEnvironment: string): Binding => ({
  purpose: "vault-meta",
  context: `${name}|${walletEnvironment}|v1`,
});

/** Rows of `meta` by which a key ring is known. */
export type VaultMeta = ReadonlyMap<string, string>;

/** Those that the database has. */
export const readVaultMeta = async (db: Database): Promise<VaultMeta> => {
  const rows = await db
    .selectFrom("meta")
    .select(["name", "value"])
    .where("name", "in", [...SEALED_META, ENVIRONMENT])
    .execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
};

const createMeta = async (
  db: Database,
  ring: KeyRing,
  walletEnvironment: string,
  random: Random,
): Promise<void> => {
  const account = await db.selectFrom("account").select("id").limit(1).executeTakeFirst();
  if (account !== undefined) {
    throw new StoreError(
      "wrong_key_ring",
      "The database holds API keys but not the rows that go with its key ring: restore a complete backup",
    );
  }
  const seal = (name: SealedMeta, text: string): { name: string; value: string } => ({
    name,
    value: sealText(ring, metaBinding(name, walletEnvironment), text, random.bytes(IV_BYTES)),
  });
  const fingerprintKey = randomText(random, FINGERPRINT_KEY_BYTES);
  // Two processes may start on a new database at once: the rows of one stand, both as a whole.
  await db
    .insertInto("meta")
    .values([
      seal("canary", CANARY),
      seal("fingerprint_key", fingerprintKey),
      { name: ENVIRONMENT, value: walletEnvironment },
    ])
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
};

const openMeta = (
  ring: KeyRing,
  walletEnvironment: string,
  name: SealedMeta,
  sealed: string | undefined,
): string => {
  try {
    return openText(ring, metaBinding(name, walletEnvironment), sealed ?? "");
  } catch (error) {
    const kid = kidOf(sealed ?? "");
    const advice =
      kid !== undefined && !ring.keys.has(kid)
        ? `add the line of its key "${kid}" to the key ring again (the first line seals, every line opens)`
        : `its key "${kid ?? "?"}" must be the one it was made with, or the database restored from a backup`;
    throw new StoreError(
      "wrong_key_ring",
      `The key ring (MASTER_KEY) does not open this database: ${advice}. Without the key every seller must connect again, on a new database`,
      error,
    );
  }
};

/**
 * Proves that the ring is the one that these rows were made with and gives the key of fingerprints.
 * @throws StoreError wrong_key_ring, other_wallet
 */
export const fingerprintKeyIn = (
  meta: VaultMeta,
  ring: KeyRing,
  walletEnvironment: string,
): Uint8Array => {
  const environment = meta.get(ENVIRONMENT);
  if (environment !== undefined && environment !== walletEnvironment) {
    throw new StoreError(
      "other_wallet",
      `The database holds API keys of ${environment}, but WALLET_BASE_URL is ${walletEnvironment}: set it back, or use another DATABASE_URL`,
    );
  }
  openMeta(ring, walletEnvironment, "canary", meta.get("canary"));
  const key = openMeta(ring, walletEnvironment, "fingerprint_key", meta.get("fingerprint_key"));
  return Buffer.from(key, "base64url");
};

/**
 * Proves that the ring is the database's own and gives the key of fingerprints; on a new database creates both.
 * @throws StoreError wrong_key_ring, other_wallet
 */
export const openVaultMeta = async (
  db: Database,
  ring: KeyRing,
  walletEnvironment: string,
  random: Random,
): Promise<{ readonly fingerprintKey: Uint8Array }> => {
  let meta = await readVaultMeta(db);
  if (meta.size === 0) {
    await createMeta(db, ring, walletEnvironment, random);
    meta = await readVaultMeta(db);
  }
  return { fingerprintKey: fingerprintKeyIn(meta, ring, walletEnvironment) };
};
