import type { Secret } from "../shared/secret.ts";

const SHORTEST = 12;

/**
 * Whether this can be an API key at all: printable ASCII without spaces, which is all that a header can carry. The
 * service says no more about the form of its keys.
 */
export const isPlausibleApiKey = (apiKey: Secret): boolean => {
  const key = apiKey.reveal();
  return key.length >= SHORTEST && /^[!-~]+$/.test(key);
};
