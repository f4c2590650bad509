import { createDecipheriv, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StoreError } from "#src/store/errors.ts";
import { type Binding, openText, sealText } from "#src/store/sealed-text.ts";
import { parseKeyRing } from "#src/store/vault.ts";
import { ringLine } from "./use-store.ts";

const ring = parseKeyRing(`${ringLine("a")}\n${ringLine("b")}`);
const binding = (context: string): Binding => ({ purpose: "api-key", context });
const seal = (text: string, context = "row"): string =>
  sealText(ring, binding(context), text, randomBytes(12));

/** The text when it opens, the kind of the refusal when it does not. */
const opened = (sealed: string, context = "row"): string => {
  try {
    return `opened: ${openText(ring, binding(context), sealed)}`;
  } catch (error) {
    if (error instanceof StoreError) return error.kind;
    throw error;
  }
};

const REFUSED = new Set(["unreadable_secret"]);
const text = fc.string({ unit: "binary", maxLength: 80 });

describe("a sealed text", () => {
  test("opens to what was sealed", () => {
    fc.assert(
      fc.property(text, fc.string(), (plain, context) => {
        expect(opened(seal(plain, context), context)).toBe(`opened: ${plain.toWellFormed()}`);
      }),
      { numRuns: 2_000 },
    );
  });

  test("is AES-256-GCM, as anything else can open it", () => {
    const [iv, ciphertext, tag] = seal("olá")
      .split(".")
      .slice(2)
      .map((part) => Buffer.from(part, "base64url"));
    const decipher = createDecipheriv("aes-256-gcm", ring.current.derived["api-key"], iv!);
    decipher.setAAD(Buffer.from("row")).setAuthTag(tag!);
    expect(decipher.update(ciphertext!, undefined, "utf8") + decipher.final("utf8")).toBe("olá");
  });

  test("names its version and its key, and is never the same twice", () => {
    expect(seal("x")).toMatch(/^v1\.a\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/);
    expect(new Set(Array.from({ length: 100 }, () => seal("x"))).size).toBe(100);
  });

  test("does not open with any one character changed", () => {
    const alphabet = fc.string({ minLength: 1, maxLength: 1 });
    fc.assert(
      fc.property(text, alphabet, (plain, character) => {
        const sealed = seal(plain);
        const changed = Array.from(sealed, (_, index) => index)
          .filter((index) => sealed[index] !== character)
          .map((index) => `${sealed.slice(0, index)}${character}${sealed.slice(index + 1)}`);
        expect(new Set(changed.map((one) => opened(one)))).toEqual(REFUSED);
      }),
      { numRuns: 160 },
    );
  });

  test("does not open with any one bit of its bytes flipped", () => {
    fc.assert(
      fc.property(text, (plain) => {
        const parts = seal(plain).split(".");
        const flipped = [2, 3, 4].flatMap((part) => {
          const bytes = Buffer.from(parts[part] ?? "", "base64url");
          return Array.from({ length: bytes.length * 8 }, (_, bit) => {
            const changed = Buffer.from(bytes);
            changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
            return parts.with(part, changed.toString("base64url")).join(".");
          });
        });
        expect(new Set(flipped.map((one) => opened(one)))).toEqual(REFUSED);
      }),
      { numRuns: 40 },
    );
  });

  test("does not open when it is cut, at either end or in any part, or when it grows", () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 0, max: 5 }), (plain, at, how) => {
        const sealed = seal(plain);
        const parts = sealed.split(".");
        const part = parts[how] ?? "";
        const cut = part.slice(0, at % (part.length || 1));
        const changed = [
          sealed.slice(0, at % sealed.length),
          sealed.slice(1 + (at % (sealed.length - 1))),
          `${sealed}A`,
          `${sealed}.`,
          parts.with(how % 5, cut).join("."),
        ].filter((one) => one !== sealed);
        for (const one of changed) expect(opened(one)).toBe("unreadable_secret");
      }),
      { numRuns: 4_000 },
    );
  });

  test("does not open for another row, another purpose or another key", () => {
    fc.assert(
      fc.property(text, fc.string(), fc.string(), (plain, context, other) => {
        fc.pre(context !== other);
        expect(opened(seal(plain, context), other)).toBe("unreadable_secret");
      }),
      { numRuns: 4_000 },
    );
    const sealed = seal("x");
    expect(() => openText(ring, { purpose: "vault-meta", context: "row" }, sealed)).toThrow(
      StoreError,
    );
    expect(opened(sealed.replace("v1.a.", "v1.b."))).toBe("unreadable_secret");
    expect(opened(sealed.replace("v1.a.", "v1.c."))).toBe("unreadable_secret");
  });

  test("with a short tag does not open, although its bytes are right", () => {
    const parts = seal("x").split(".");
    const tag = Buffer.from(parts[4] ?? "", "base64url");
    for (const length of [0, 4, 8, 12, 15]) {
      parts[4] = tag.subarray(0, length).toString("base64url");
      expect(opened(parts.join("."))).toBe("unreadable_secret");
    }
  });

  test("is refused without telling what it held", () => {
    const sealed = sealText(ring, binding("row"), "sk_sandbox_ana_4f9c2d7e1b", randomBytes(12));
    expect(() => openText(ring, binding("other"), sealed)).toThrow(/^(?!.*sk_sandbox)/);
  });
});
