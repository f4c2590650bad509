import { safe } from "./safe.ts";

const SHOWN_CHARACTERS = 4;

/** The end of an API key, the most of it that is ever shown. */
export const keyEnd = (last4: string): string =>
  safe(`…${last4.slice(-SHOWN_CHARACTERS)}`, SHOWN_CHARACTERS + 1);
