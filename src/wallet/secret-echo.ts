/** Shorter strings appear in any text by chance. */
const SHORTEST_SECRET = 8;

const formsOf = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    hex,
    hex.toUpperCase(),
  ];
};

/**
 * Whether something that came from outside gives a secret of ours back in one of its texts, as it is or in a usual
 * encoding.
 */
export const repeatsSecret = (value: unknown, secret: string): boolean => {
  if (typeof value === "object" && value !== null) {
    return Object.values(value).some((inner) => repeatsSecret(inner, secret));
  }
  // No encoding is shorter than the secret itself.
  if (typeof value !== "string" || value.length < secret.length) return false;
  return secret.length >= SHORTEST_SECRET && formsOf(secret).some((form) => value.includes(form));
};
