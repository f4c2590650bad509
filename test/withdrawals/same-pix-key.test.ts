import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparePixKeys, keyWritings, readPixKey } from "#src/withdrawals/pix-key.ts";

const TYPE_NAME = {
  cpf: "CPF",
  cnpj: "CNPJ",
  email: "E-mail",
  phone: "Celular",
  random: "Chave aleatória",
} as const;
type Type = keyof typeof TYPE_NAME;

/** A check digit modulo 11 with weights from 2 up to `highest`, from the right. */
const checkDigit = (digits: string, highest: number): string => {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      return total + Number(digit) * (2 + (index % (highest - 1)));
    }, 0);
  return String(sum % 11 < 2 ? 0 : 11 - (sum % 11));
};
const withCheckDigits = (digits: string, highest: number): string => {
  const first = digits + checkDigit(digits, highest);
  return first + checkDigit(first, highest);
};

const digits = (length: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.constantFrom(...Array.from("0123456789")),
    minLength: length,
    maxLength: length,
  });
const word = fc.string({
  unit: fc.constantFrom(...Array.from("abcdefgmnorst0189")),
  minLength: 2,
  maxLength: 9,
});
const isWhole = (key: string): boolean => {
  const reading = readPixKey(key);
  return reading.kind !== "unusable" && (reading.kind === "cpf_or_phone" || !reading.key.suspect);
};

/** Stored keys: normalised, with valid check digits. */
const keys: Readonly<Record<Type, fc.Arbitrary<string>>> = {
  cpf: digits(9)
    .map((body) => withCheckDigits(body, 11))
    .filter(isWhole),
  cnpj: digits(12)
    .map((body) => withCheckDigits(body, 9))
    .filter(isWhole),
  email: fc
    .tuple(word, word, word)
    .map(([user, host, end]) => `${user}@${host}.${end}`)
    .filter(isWhole),
  phone: fc
    .tuple(fc.constantFrom("11", "21", "48", "85"), digits(8))
    .map(([area, number]) => `+55${area}9${number}`)
    .filter(isWhole),
  random: fc.uuid(),
};

const keep = (key: string, from: number, to: number, hidden: string): string =>
  Array.from(key)
    .map((character, index) =>
      /[0-9a-z]/i.test(character) && (index < from || index >= to) ? hidden : character,
    )
    .join("");

const withEvery = (key: string, hide: (character: string, index: number) => string): string =>
  Array.from(key).map(hide).join("");

/** Ways in which a service may mask or rewrite a key. */
const WRITINGS: Readonly<Record<string, (key: string, type: Type) => string>> = {
  "stars at the front": (key) => keep(key, key.length - 4, key.length, "*"),
  "stars at the end": (key) => keep(key, 0, 4, "*"),
  "stars everywhere": (key) => keep(key, 0, 0, "*"),
  bullets: (key) => keep(key, 0, 3, "•"),
  "number signs": (key) => keep(key, 2, 5, "#"),
  "letters X": (key) => keep(key, 0, 3, "X"),
  "small letters x": (key) => keep(key, 3, 7, "x"),
  "every second character an x": (key) =>
    withEvery(key, (character, index) => (index % 2 === 0 ? character : "x")),
  "one x": (key) => `${key.slice(0, 2)}x${key.slice(3)}`,
  underscores: (key) => keep(key, 0, 4, "_"),
  "question marks": (key) => keep(key, 1, 6, "?"),
  zeros: (key) => keep(key, key.length - 3, key.length, "0"),
  "three dots at the end": (key) => `${key.slice(0, 5)}...`,
  "three dots at the front": (key) => `...${key.slice(-5)}`,
  "three dots in the middle": (key) => `${key.slice(0, 3)}...${key.slice(-6)}`,
  "an ellipsis": (key) => `${key.slice(0, 3)}…${key.slice(-4)}`,
  "one dot at the end": (key) => `${key}.`,
  "the last four": (key) => key.slice(-4),
  "the first half": (key) => key.slice(0, Math.ceil(key.length / 2)),
  "without its middle": (key) => key.slice(0, 4) + key.slice(Math.max(4, key.length - 6)),
  "without its first character": (key) => key.slice(1),
  "without its last character": (key) => key.slice(0, -1),
  words: (key) => `final ${key.slice(-4)}`,
  "words only": () => "chave cadastrada",
  "upper case": (key) => key.toUpperCase(),
  "the name of its type": (key, type) => `${TYPE_NAME[type]} ${key}`,
  "the name of its type and a colon": (key, type) => `${TYPE_NAME[type]}: ${key}`,
  "the name of its type glued to it": (key) => `email=${key}`,
  "spaces in it": (key) => Array.from(key).join(" "),
  "spaces around it": (key) => `  ${key}  `,
  "quotes around it": (key) => `"${key}"`,
  "without punctuation": (key) => key.replace(/[^0-9a-z@]/gi, ""),
  "dots between": (key) => key.replace(/(\w{3})(?=\w)/g, "$1."),
  "without its country": (key) => key.replace(/^\+55/, ""),
  "with a trunk zero": (key) => key.replace(/^\+55/, "0"),
  "with 0055": (key) => key.replace(/^\+55/, "0055"),
  "wide characters": (key) =>
    withEvery(key, (character) => String.fromCodePoint(0xfee0 + (character.codePointAt(0) ?? 0))),
  "as a mailto or a tel": (key, type) => `${type === "email" ? "mailto" : "tel"}:${key}`,
  "percent-encoded": (key) => encodeURIComponent(key),
  empty: () => "",
};

describe.each(Object.keys(keys) as readonly Type[])("S1: our key of type %s", (type) => {
  it("is never taken for another one, in whatever way the service writes it", () => {
    fc.assert(
      fc.property(keys[type], (key) => {
        for (const [name, write] of Object.entries(WRITINGS))
          expect(comparePixKeys(key, write(key, type)), name).not.toBe("other");
      }),
    );
  });

  it("is never taken for another one when any of its characters are hidden, by any character that is none of a key", () => {
    const hiding = fc.constantFrom("*", "•", "#", "?", "·", "●", "█", "…", "×", "–", "~", "\u00a0");
    const spot = fc.array(fc.boolean(), { minLength: 80, maxLength: 80 });
    fc.assert(
      fc.property(keys[type], hiding, spot, (key, hidden, spots) => {
        const written = withEvery(key, (character, index) => (spots[index] ? hidden : character));
        expect(comparePixKeys(key, written)).not.toBe("other");
      }),
    );
  });

  it("is never taken for another one when any of its characters are left out", () => {
    const spot = fc.array(fc.boolean(), { minLength: 80, maxLength: 80 });
    fc.assert(
      fc.property(keys[type], spot, (key, spots) => {
        const written = withEvery(key, (character, index) => (spots[index] ? "" : character));
        expect(comparePixKeys(key, written)).not.toBe("other");
      }),
    );
  });

  it("is the same when it comes back as it was sent", () => {
    fc.assert(
      fc.property(keys[type], (key) => {
        expect(comparePixKeys(key, key)).toBe("same");
        expect(comparePixKeys(key, key.toUpperCase())).toBe("same");
      }),
    );
  });
});

describe("a whole key", () => {
  it.each<[string, string]>([
    ["ana@example.com", "bruno@example.com"],
    ["ana@example.com", "+5511987654321"],
    ["ana@example.com", "529.982.247-25"],
    ["ana@example.com", "f47ac10b-58cc-4372-a567-0e02b2c3d479"],
    ["+5511987654321", "(11) 98765-4322"],
    ["+5511987654321", "ana@example.com"],
    ["52998224725", "111.444.777-35"],
    ["52998224725", "12.ABC.345/01DE-35"],
    ["12ABC34501DE35", "11.222.333/0001-81"],
    ["f47ac10b-58cc-4372-a567-0e02b2c3d479", "0E02B2C3-58cc-4372-a567-f47ac10bd479"],
    ["ana@example.com", "11987654374"],
    ["ana@example.com", "axa@example.co"],
  ])("that is not %s is another one: %s", (ours, theirs) => {
    expect(comparePixKeys(ours, theirs)).toBe("other");
  });

  it.each<[string, string]>([
    ["ana@example.com", "chave-da-loja"],
    ["ana@example.com", "bruno_lima@example.com"],
    ["ana@example.com", "b***@example.com"],
    ["52998224725", "529.982.247-26"],
    ["11900000083", "+5511900000083"],
    ["loja", "bruno@example.com"],
    ["ana.b@example.com", "anab@example.com"],
    ["ana.bia@example.com", "ana.pix.bia@example.com"],
    ["ana@example.com", "a-na@example.com"],
    ["ana@example.com", "ana@pix.example.com"],
    ["ana@example.com", "bxxxo@example.com"],
    ["ana@example.com", "bruno ".repeat(24)],
    ["+5511987654321", "tel11987654321@example.com"],
  ])("leaves it open for %s when a form cannot be understood for sure: %s", (ours, theirs) => {
    expect(comparePixKeys(ours, theirs)).toBe("unclear");
  });
});

describe("a key", () => {
  it("is the same as itself, whatever it is", () => {
    const same = (key: string) => comparePixKeys(key, key) === "same";
    fc.assert(fc.property(fc.string(), same), {
      examples: [["pix@loja.com"], ["ana@".repeat(36)]],
    });
  });

  it.each<[string, string]>([
    ["pix@loja.com", "PIX@LOJA.COM"],
    ["f47ac10b-58cc-4372-a567-0e02b2c3d479", "f47ac10b58cc4372a5670e02b2c3d479"],
    [
      "f47ac10b-58cc-4372-a567-0e02b2c3d479",
      "Chave aleatória: f47ac10b-58cc-4372-a567-0e02b2c3d479",
    ],
    ["f47ac10b-58cc-4372-a567-0e02b2c3d479", "f47ac10b-58cc-4372-a567-0e02b2c3d479 - chave PIX"],
    ["52998224725", '"529.982.247-25"'],
  ])("that is %s is the same when it is written %s", (ours, theirs) => {
    expect(comparePixKeys(ours, theirs)).toBe("same");
  });

  it.each<[string, readonly string[]]>([
    [" ", []],
    ["529.982.247-25", ["52998224725"]],
    ["11987654374", ["11987654374", "+5511987654374"]],
    [" 11987654321 ", ["11987654321", "+5511987654321"]],
  ])("may be meant by %j: %j", (text, meant) => {
    expect(keyWritings(text)).toEqual(meant);
  });
});

describe("a mask", () => {
  it.each<[string, string]>([
    ["ana@example.com", "a**@example.com"],
    ["ana@example.com", "a•••@e•••.com"],
    ["52998224725", "***.982.247-**"],
    ["+5511987654321", "+55 11 *****-4321"],
    ["f47ac10b-58cc-4372-a567-0e02b2c3d479", "f47a********d479"],
    ["52998224725", "CPF 529.982.247-25"],
    ["52998224725", "*******4725"],
    ["+5511987654321", "(11) 9****-4321"],
    ["ana@example.com", "XXX@example.com"],
    ["ana@example.com", "ana@exaXXX"],
  ])("fits %s when what it shows stands there: %s", (ours, theirs) => {
    expect(comparePixKeys(ours, theirs)).toBe("same");
  });

  it.each<[string, string]>([
    ["ana@example.com", "b**@example.com"],
    ["ana@example.com", "***"],
    ["ana@example.com", "a**@****"],
    ["52998224725", "***.111.247-**"],
    ["+5511987654321", "+55 11 *****-4322"],
    ["52998224725", "********725"],
    // A different beginning, or one that is no valid mask for this key type
    ["ana@example.com", "n**@example.com"],
    ["ana@example.com", "nXX@example.com"],
    ["ana@example.com", "xamp**.com"],
    ["52998224725", "CPF 982.***-25"],
    ["52998224725", "998.2**.***-25"],
    ["+5511987654321", "+87*****4321"],
    ["+5511987654321", "(**) 98765-4321"],
    // A different ending
    ["ana@example.com", "a**@example"],
    ["ana@example.com", "aXX@example"],
    ["ana@example.com", "an**@ex"],
    // In another order, or incomplete
    ["52998224725", "529***529***"],
    ["52998224725", "529.***.111-**"],
    // One part that corresponds to two parts of the key
    ["52998224725", "529.247-**"],
    ["ana@example.com", "a**@exple.com"],
  ])("proves nothing of %s when it does not fit or shows too little: %s", (ours, theirs) => {
    expect(comparePixKeys(ours, theirs)).toBe("unclear");
  });

  it("proves nothing when it is as long as an answer may be", () => {
    const theirs = `a${"= -".repeat(330_000)}x`;
    expect(comparePixKeys("+5511987654321", theirs)).toBe("unclear");
  });
});
