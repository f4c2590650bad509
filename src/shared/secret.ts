import { inspect } from "node:util";

const REDACTED = "[secret]";

/** A value that is never printed by accident: only `reveal` returns it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

/** Shorter "secrets" would also match ordinary words. */
export const SHORTEST_SECRET = 8;

/** Every form in which a secret may appear in text, JSON or an address: plain, or in a usual encoding. */
export const secretForms = (secret: string): readonly string[] => {
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

const E_MAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g;

/** Patterns of secrets and personal data that are not registered with `hide`. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Bot)\s+[\w.~+/=-]{8,}/g, `$1 ${REDACTED}`],
  [/\/(webhooks|interactions)\/(\d+)\/[\w.~=-]{8,}/g, `/$1/$2/${REDACTED}`],
  [/\/ganchos\/[\w-]{8,}/g, `/ganchos/${REDACTED}`],
  [/\b\d{3}\.\d{3}\.\d{3}-\d{2}\b/g, "[cpf]"],
  [/\b[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2}\b/g, "[cnpj]"],
  [E_MAIL, "[e-mail]"],
  [/\+55\d{10,11}\b/g, "[phone]"],
];

export type SecretScrubber = ReturnType<typeof createSecretScrubber>;

/** Removes secrets and personal data from log lines: the last line of defence, not the first. */
export const createSecretScrubber = () => {
  const hidden = new Set<string>();
  return {
    /** Hides this value from now on, in every encoding. Values under 8 characters are ignored. */
    hide: (value: string): void => {
      if (value.length >= SHORTEST_SECRET) for (const form of secretForms(value)) hidden.add(form);
    },
    scrub: (line: string): string => {
      let clean = line;
      for (const form of hidden) {
        if (clean.includes(form)) clean = clean.replaceAll(form, REDACTED);
      }
      for (const [pattern, replacement] of PATTERNS) {
        // Most lines hold no e-mail, and its pattern would be tried at each of their letters.
        if (pattern === E_MAIL && !clean.includes("@")) continue;
        clean = clean.replace(pattern, replacement);
      }
      return clean;
    },
  };
};
