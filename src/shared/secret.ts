import { inspect } from "node:util";

const HIDDEN = "[secret]";

/** A value that must not be printed by accident: only `reveal` gives it away. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}

/** Below this a "secret" would also be found in ordinary words. */
export const SHORTEST_SECRET = 8;

/** Every form in which a secret may stand in a text, a line of JSON or an address: as it is, or in a usual encoding. */
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
