import { secretForms, SHORTEST_SECRET } from "../shared/secret.ts";

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
  return (
    secret.length >= SHORTEST_SECRET && secretForms(secret).some((form) => value.includes(form))
  );
};
