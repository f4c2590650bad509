import { createHmac, createSecretKey, hkdfSync } from "node:crypto";
import { type Random, randomText } from "../shared/random.ts";
import { Secret } from "../shared/secret.ts";
import { type Binding, IV_BYTES, type KeyRing, kidOf, openText, sealText } from "./encryption.ts";
import type { Database } from "../schema.ts";
import { StoreError } from "../shared/store-errors.ts";

export interface SealedRow {
  readonly rowId: string;
  readonly ownerId: string;
}

export type Vault = Awaited<ReturnType<typeof openVault>>;

/**
 * Opens the vault of a database. Creates the canary and the fingerprint key of a new database. `walletEnvironment` is
 * the base address of the wallet service.
 * @throws StoreError wrong_key_ring, other_wallet: each message tells the operator how to continue.
 */
export const openVault = async (
  db: Database,
  ring: KeyRing,
  walletEnvironment: string,
  random: Random,
) => {
  const fingerprintKey = await openVaultMeta(db, ring, walletEnvironment, random);
  const hmacKey = createSecretKey(fingerprintKey);
  const seal =
    (bindingOf: typeof apiKeyBinding) =>
    (row: SealedRow, text: string): string =>
      sealText(ring, bindingOf(row, walletEnvironment), text, random.bytes(IV_BYTES));
  const open =
    (bindingOf: typeof apiKeyBinding) =>
    (row: SealedRow, sealed: string): string =>
      openText(ring, bindingOf(row, walletEnvironment), sealed);
  return {
    currentKid: ring.current.kid,
    seal: (row: SealedRow, secret: Secret) => seal(apiKeyBinding)(row, secret.reveal()),
    /** @throws StoreError unreadable_secret */
    open: (row: SealedRow, sealed: string) => new Secret(open(apiKeyBinding)(row, sealed)),
    /** Seals an API key that awaits its owner's answer. It cannot be opened as the key of a connection. */
    sealPendingKey: (row: SealedRow, secret: Secret) =>
      seal(pendingKeyBinding)(row, secret.reveal()),
    /** @throws StoreError unreadable_secret */
    openPendingKey: (row: SealedRow, sealed: string) =>
      new Secret(open(pendingKeyBinding)(row, sealed)),
    /** Keyed hash of an API key: the same in every row and after every rotation. */
    fingerprint: (secret: Secret) =>
      createHmac("sha256", hmacKey).update(`api_key|${secret.reveal()}`).digest("base64url"),
    /** Keyed hash of the service's user id: the same for every key of a wallet account. */
    hashWalletUser: keyedHash(fingerprintKey, "wallet-account"),
    sealPixKey: seal(pixKeyBinding),
    /** @throws StoreError unreadable_secret */
    openPixKey: open(pixKeyBinding),
    sealProof: seal(proofBinding),
    /** @throws StoreError unreadable_secret */
    openProof: open(proofBinding),
    /** Keyed hash of a normalised PIX key: stays the same after a rotation, and cannot be guessed from the database. */
    hashPixKey: keyedHash(fingerprintKey, "pix-key-hash"),
    hashToken: keyedHash(fingerprintKey, "confirm-token-hash"),
    /** Keyed hashes of a webhook's secret: one to keep, one to tell invented secrets by. */
    webhook: {
      hash: keyedHash(fingerprintKey, "webhook-hash"),
      seal: keyedHash(fingerprintKey, "webhook-seal"),
    },
    /** Keyed hash of a transaction's id: recognises a sale that was told, and cannot be guessed from the database. */
    hashTxid: keyedHash(fingerprintKey, "txid-hash"),
    /** New id for a row with a sealed value. Never reused, so that a value fits only one row. */
    newRowId: () => randomText(random, ROW_ID_BYTES),
  } as const;
};

const ROW_ID_BYTES = 16;

const HASH_KEY_BYTES = 32;

const rowBinding =
  (purpose: Binding["purpose"], column: string) =>
  (row: SealedRow, walletEnvironment: string): Binding => ({
    purpose,
    context: `${column}|${row.rowId}|${row.ownerId}|${walletEnvironment}|v1`,
  });

export const apiKeyBinding = rowBinding("api-key", "api_key");

export const pendingKeyBinding = rowBinding("api-key", "pending_key");

export const pixKeyBinding = rowBinding("pix-key", "pix_key");

export const proofBinding = rowBinding("proof", "proof");

/** Hash with its own key, derived from the fingerprint key, which no rotation changes. */
const keyedHash = (key: Uint8Array, purpose: string): ((text: string) => string) => {
  const derived = hkdfSync("sha256", key, new Uint8Array(), `balcao|${purpose}|v1`, HASH_KEY_BYTES);
  const hmacKey = createSecretKey(Buffer.from(derived));
  return (text) => createHmac("sha256", hmacKey).update(text).digest("base64url");
};

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

/** Rows of `meta` that prove a key ring and a wallet service. */
export type VaultMeta = ReadonlyMap<string, string>;

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
  // Two processes may start on a new database at once: one insert wins, with all of its rows.
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
      `The key ring (MASTER_KEY) does not open this database: ${advice}. If the key is lost, read "Updates and moves" in docs/operating.md first: on a new database, withdrawals under way might be paid twice`,
      error,
    );
  }
};

/**
 * Proves that the ring sealed these rows. @returns the fingerprint key
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
      `The database was begun for ${environment}, but WALLET_BASE_URL is ${walletEnvironment}: set it back, or read "Updates and moves" in docs/operating.md to begin another database`,
    );
  }
  openMeta(ring, walletEnvironment, "canary", meta.get("canary"));
  const key = openMeta(ring, walletEnvironment, "fingerprint_key", meta.get("fingerprint_key"));
  return Buffer.from(key, "base64url");
};

/**
 * Proves that the ring belongs to the database, and creates the rows of a new database. @returns the fingerprint key
 * @throws StoreError wrong_key_ring, other_wallet
 */
export const openVaultMeta = async (
  db: Database,
  ring: KeyRing,
  walletEnvironment: string,
  random: Random,
): Promise<Uint8Array> => {
  let meta = await readVaultMeta(db);
  if (meta.size === 0) {
    await createMeta(db, ring, walletEnvironment, random);
    meta = await readVaultMeta(db);
  }
  return fingerprintKeyIn(meta, ring, walletEnvironment);
};
