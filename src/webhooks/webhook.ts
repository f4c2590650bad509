import { timingSafeEqual } from "node:crypto";
import { questionIdOf } from "../shared/ids.ts";
import { type Random, randomText } from "../shared/random.ts";

/** An address whose calls mean "look now", for one owner of one wallet account. */
export interface Webhook {
  readonly madeAt: Temporal.Instant;
  readonly lastCallAt: Temporal.Instant | undefined;
  /**
   * Whether it was made before the database was put back from a copy. Its calls are dropped, because its owner may have
   * replaced or removed it since the copy.
   */
  readonly isFromCopy: boolean;
}

/** Id of a question about one address: a yes must not replace, or remove, another one that was made since. */
export const addressQuestionIdOf = (watchId: string, madeAt: Temporal.Instant): string =>
  questionIdOf([watchId, madeAt.toString()]);

/** Path of every address, before its secret. */
export const WEBHOOK_PATH = "/ganchos/";

const SECRET_BYTES = 32;
const SEAL_BYTES = 16;
const FORM = /^[\w-]{64}$/;
const EMPTY = Buffer.alloc(SECRET_BYTES + SEAL_BYTES);

/** Keyed hashes of a secret, as base64url: `seal` goes into the address, `hash` into the database. */
export interface SecretHashes {
  readonly seal: (secret: string) => string;
  readonly hash: (secret: string) => string;
}

interface NewSecret {
  /** The last part of the address: shown once, never kept. */
  readonly token: string;
  readonly secretHash: string;
}

const sealOf = (secret: string, { seal }: SecretHashes): Buffer =>
  Buffer.from(seal(secret), "base64url").subarray(0, SEAL_BYTES);

/**
 * A secret of 256 random bits. The token carries a seal beside it, so that an invented token is told from one that this
 * bot made without asking the database.
 */
export const newSecret = (random: Pick<Random, "bytes">, hashes: SecretHashes): NewSecret => {
  const secret = randomText(random, SECRET_BYTES);
  const bytes = Buffer.concat([Buffer.from(secret, "base64url"), sealOf(secret, hashes)]);
  return { token: bytes.toString("base64url"), secretHash: hashes.hash(secret) };
};

/**
 * Hash of a token's secret; undefined for a token that this bot never made. Does the same work for every token: one of
 * another form is compared too.
 */
export const secretHashOf = (token: string, hashes: SecretHashes): string | undefined => {
  const isToken = FORM.test(token);
  const bytes = isToken ? Buffer.from(token, "base64url") : EMPTY;
  const secret = bytes.subarray(0, SECRET_BYTES).toString("base64url");
  const isSealed = timingSafeEqual(bytes.subarray(SECRET_BYTES), sealOf(secret, hashes));
  const hash = hashes.hash(secret);
  return isToken && isSealed ? hash : undefined;
};

export const webhookAddress = (publicUrl: string, token: string): string =>
  `${publicUrl}${WEBHOOK_PATH}${token}`;
