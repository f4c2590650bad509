const SHAPE = /^[\w.:/+=-]{1,128}$/;
/** Shorter strings appear in any text by chance. */
const SHORTEST_SECRET = 8;

const encodingsOf = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
};

const repeats = (text: string, secret: string): boolean => {
  // No encoding is shorter than the secret itself.
  if (secret.length < SHORTEST_SECRET || text.length < secret.length) return false;
  const lowered = text.toLowerCase();
  return encodingsOf(secret).some((form) => lowered.includes(form.toLowerCase()));
};

/**
 * The `X-Request-ID` of an answer, for logs and for people, or undefined when it is missing, is no plain identifier, or
 * gives our own key back to us.
 */
export const requestIdOf = (
  header: string | readonly string[] | undefined,
  apiKey: string,
): string | undefined => {
  const value = typeof header === "string" ? header : header?.[0];
  return value === undefined || !SHAPE.test(value) || repeats(value, apiKey) ? undefined : value;
};
