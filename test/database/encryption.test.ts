import { createDecipheriv, randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { type Binding, openText, parseKeyRing, sealText } from "#src/database/encryption.ts";
import { StoreError } from "#src/shared/store-errors.ts";
import { ringLine } from "./use-store.ts";
import { wholeCharacter } from "../support/any-text.ts";

const material = randomBytes(32).toString("base64");

const problemsOf = (text: string): string => {
  try {
    parseKeyRing(text);
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
};

describe("a key ring", () => {
  test("seals with its first key and opens with all", () => {
    const ring = parseKeyRing(`${ringLine("new")}\n${ringLine("old-2025")}\n`);
    expect(ring.current.kid).toBe("new");
    expect([...ring.keys.keys()]).toEqual(["new", "old-2025"]);
  });

  test("may have blank lines, comments, Windows line ends and spaces around its lines", () => {
    const ring = parseKeyRing(`# since November\r\n\r\n  ${ringLine("a")}  \r\n${ringLine("b")}`);
    expect([...ring.keys.keys()]).toEqual(["a", "b"]);
  });

  test("may leave out the padding of its base64", () => {
    expect(parseKeyRing(`a:${material.replace("=", "")}`).current.kid).toBe("a");
  });

  test.each([
    ["nothing", "", "no key"],
    ["only a comment", "# nothing", "no key"],
    ["a key without a name", material, "NAME:BASE64"],
    ["a name with a dot", `a.b:${material}`, "NAME:BASE64"],
    ["a short key", `a:${randomBytes(31).toString("base64")}`, "32 bytes"],
    ["a long key", `a:${randomBytes(33).toString("base64")}`, "NAME:BASE64"],
    ["a typed key", `a:${Buffer.alloc(32, "secret").toString("base64")}`, "not random"],
    ["zeros", `a:${Buffer.alloc(32).toString("base64")}`, "not random"],
    ["a name twice", `${ringLine("a")}\na:${material}`, "line 2 repeats the name a"],
    ["a key twice", `a:${material}\nb:${material}`, "line 2 has the same key as a"],
  ])("is refused when it has %s", (_, text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  test("is refused with every problem at once", () => {
    const problems = problemsOf(`x\n${ringLine("a")}\n\na:short`);
    expect(problems).toContain("line 1 ");
    expect(problems).toContain("line 4 ");
  });

  test("is refused without repeating what was given", () => {
    const text = `${material}\na:${material}x\nb:${material}\nb:${material}`;
    const problems = problemsOf(text);
    expect(problems).toContain("line 4");
    expect(problems).not.toContain(material.slice(0, 8));
  });

  test("does not show its keys when it is printed", () => {
    const ring = parseKeyRing(`a:${material}`);
    const shown = `${inspect(ring, { depth: 9 })}${JSON.stringify([...ring.keys])}`;
    expect(shown).not.toContain(material.slice(0, 8));
    expect(shown).not.toContain(Buffer.from(material, "base64").toString("hex").slice(0, 8));
  });
});

const ring = parseKeyRing(`${ringLine("a")}\n${ringLine("b")}`);
const binding = (context: string): Binding => ({ purpose: "api-key", context });
const seal = (text: string, context = "row"): string =>
  sealText(ring, binding(context), text, randomBytes(12));

/** The text, or the kind of the error when it does not open. */
const opened = (sealed: string, context = "row"): string => {
  try {
    return `opened: ${openText(ring, binding(context), sealed)}`;
  } catch (error) {
    if (error instanceof StoreError) return error.kind;
    throw error;
  }
};

const REFUSED = new Set(["unreadable_secret"]);
const text = fc.string({ unit: wholeCharacter, maxLength: 80 });
/** Each of its characters and bits is changed in turn. */
const shortText = fc.string({ unit: wholeCharacter, maxLength: 12 });

describe("a sealed text", () => {
  test("opens to what was sealed", () => {
    fc.assert(
      fc.property(text, fc.string(), (plain, context) => {
        expect(opened(seal(plain, context), context)).toBe(`opened: ${plain.toWellFormed()}`);
      }),
      { numRuns: 400 },
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
      fc.property(shortText, alphabet, (plain, character) => {
        const sealed = seal(plain);
        const changed = Array.from(sealed, (_, index) => index)
          .filter((index) => sealed[index] !== character)
          .map((index) => `${sealed.slice(0, index)}${character}${sealed.slice(index + 1)}`);
        expect(new Set(changed.map((one) => opened(one)))).toEqual(REFUSED);
      }),
      { numRuns: 100 },
    );
  });

  test("does not open with any one bit of its bytes flipped", () => {
    fc.assert(
      fc.property(shortText, (plain) => {
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
      { numRuns: 800 },
    );
  });

  test("does not open for another row, another purpose or another key", () => {
    fc.assert(
      fc.property(text, fc.string(), fc.string(), (plain, context, other) => {
        fc.pre(context !== other);
        expect(opened(seal(plain, context), other)).toBe("unreadable_secret");
      }),
      { numRuns: 800 },
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
