import { isValidCpf } from "@brazilian-utils/brazilian-utils/is-valid-cpf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asCpf,
  asPhone,
  destinationOf,
  maskedType,
  maskPixKey,
  type PixKey,
  readableMask,
  readPixKey,
  storedPixKey,
} from "#src/withdrawals/pix-key.ts";

const inWords = ({ type, value, suspect }: PixKey): string =>
  `${type} ${value}${suspect ? " suspect" : ""}`;

const told = (text: string): string => {
  const reading = readPixKey(text);
  return reading.kind === "key" ? inWords(reading.key) : reading.kind;
};

/** A São Paulo mobile number that is also a valid CPF. */
const BOTH = "11900000083";

describe("a PIX key as it is typed", () => {
  it.each([
    ["52998224725", "cpf 52998224725"],
    ["529.982.247-25", "cpf 52998224725"],
    ["529 982 247 25", "cpf 52998224725"],
    ["529982247-25", "cpf 52998224725"],
    ["529.982.247-26", "cpf 52998224726 suspect"],
    ["52998224726", "cpf 52998224726 suspect"],
    ["111.111.111-11", "cpf 11111111111 suspect"],
    ["119.000.000-83", "cpf 11900000083"],
    ["11.222.333/0001-81", "cnpj 11222333000181"],
    ["11222333000181", "cnpj 11222333000181"],
    ["11222333000182", "cnpj 11222333000182 suspect"],
    ["12ABC34501DE35", "cnpj 12ABC34501DE35"],
    ["12.abc.345/01de-35", "cnpj 12ABC34501DE35"],
    ["12ABC34501DE36", "cnpj 12ABC34501DE36 suspect"],
    ["Ana@Example.com", "email ana@example.com"],
    [`${"a".repeat(65)}@example.com`, `email ${"a".repeat(65)}@example.com`],
    [`${"a".repeat(66)}@example.com`, `email ${"a".repeat(66)}@example.com suspect`],
    ["ana@", "email ana@ suspect"],
    ["ana@localhost", "email ana@localhost suspect"],
    ["11987654321", "phone +5511987654321"],
    ["+5511987654321", "phone +5511987654321"],
    ["+55 (11) 9 8765-4321", "phone +5511987654321"],
    ["(11) 98765-4321", "phone +5511987654321"],
    ["11 98765 4321", "phone +5511987654321"],
    ["5511987654321", "phone +5511987654321"],
    ["(11) 90000-0083", "phone +5511900000083"],
    ["+5511900000083", "phone +5511900000083"],
    ["(20) 98765-4321", "phone +5520987654321 suspect"],
    ["(11) 3333-4444", "phone +551133334444 suspect"],
    ["+351912345678", "phone +351912345678 suspect"],
    ["71C7D9BE-4b85-4e43-9f1c-1f3b8b4e9a2d", "random 71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d"],
    ["71c7d9be4b854e439f1c1f3b8b4e9a2d", "random 71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d"],
    ["55 11 98765-4321", "phone +5511987654321"],
    ["55 (11) 98765-4321", "phone +5511987654321"],
    ["+55 11 98765\u20114321", "phone +5511987654321"],
    ["+55 11 98765–4321", "phone +5511987654321"],
    ["(011) 98765-4321", "phone +5511987654321"],
    ["011 98765-4321", "phone +5511987654321"],
    ["11.98765.4321", "phone +5511987654321"],
    ["11 98765 - 4321", "phone +5511987654321"],
    ["55 98765-4321", "phone +5555987654321"],
    ["１１９８７６５４３２１", "phone +5511987654321"],
    ["529.982.247 - 25", "cpf 52998224725"],
    ["529.982.247- 25", "cpf 52998224725"],
    ["529.982.247 -25", "cpf 52998224725"],
    ["529.982.247\u221225", "cpf 52998224725"],
    ["11.222.333/0001–81", "cnpj 11222333000181"],
    ["55011987654321", "cnpj 55011987654321 suspect"],
    ["012345678901", "unknown 012345678901"],
    ["tel:+5511987654321", "phone +5511987654321"],
    ["CPF 529.982.247-25", "cpf 52998224725"],
    ["Chave PIX: CPF: 529.982.247-26", "cpf 52998224726 suspect"],
    ["CNPJ: 11.222.333/0001-81", "cnpj 11222333000181"],
    ["pix ana@example.com", "email ana@example.com"],
    ["chave 71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d", "random 71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d"],
    [`PIX ${BOTH}`, "cpf_or_phone"],
    [`CPF ${BOTH}`, `cpf ${BOTH}`],
    [`celular: ${BOTH}`, `phone +55${BOTH}`],
    ["Cel 11 98765-4321", "phone +5511987654321"],
    ["Zap 11 98765-4321", "unknown Zap 11 98765-4321"],
    ["ana—silva@example.com", "email ana—silva@example.com suspect"],
    ["CPF (11) 98765-4321", "unknown CPF (11) 98765-4321"],
    ["tel 529.982.247-25", "unknown tel 529.982.247-25"],
    ["CPF 1234567890-1", "unknown CPF 1234567890-1"],
    ["CPF52998224725", "cnpj CPF52998224725 suspect"],
    ["Chave da Ana", "unknown Chave da Ana"],
    ["1133334444", "unknown 1133334444"],
    ["", "unusable"],
    [" \u200b ", "unusable"],
    ["x".repeat(140), `unknown ${"x".repeat(140)}`],
    ["x".repeat(141), "unusable"],
    // In plain characters eighteen times as long.
    ["\ufdfa".repeat(8), "unusable"],
  ])("%j is read as %s", (text, expected) => {
    expect(told(text)).toBe(expected);
  });

  it("asks about eleven digits that are both a valid CPF and a mobile number", () => {
    expect(readPixKey(BOTH)).toEqual({
      kind: "cpf_or_phone",
      cpf: { type: "cpf", value: BOTH, suspect: false },
      phone: { type: "phone", value: `+55${BOTH}`, suspect: false },
    });
  });

  it("asks exactly when a mobile number passes the check digits of a CPF", () => {
    const mobile = fc
      .tuple(fc.constantFrom("11", "21", "48", "85"), fc.integer({ min: 0, max: 99_999_999 }))
      .map(([area, number]) => `${area}9${String(number).padStart(8, "0")}`);
    fc.assert(
      fc.property(mobile, (digits) => {
        const expected = isValidCpf(digits) ? "cpf_or_phone" : "key";
        expect(readPixKey(digits).kind).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps a type that the text names, or shows by its punctuation", () => {
    const label = { cpf: ["CPF", "cpf:"], phone: ["tel:", "Celular", "telefone :"] } as const;
    const either = fc.constantFrom("cpf" as const, "phone" as const);
    const eleven = fc.stringMatching(/^[1-9]\d9\d{8}$/);
    fc.assert(
      fc.property(either, eleven, fc.nat(2), (type, digits, nth) => {
        const labels = label[type];
        const reading = readPixKey(`${labels[nth % labels.length] ?? ""} ${digits}`);
        expect(reading.kind === "key" && reading.key.type).toBe(type);
        const written = {
          cpf: digits.replace(/^(...)(...)(...)(..)$/, "$1.$2.$3 – $4"),
          phone: digits.replace(/^(..)(.....)(....)$/, "(0$1) $2\u2011$3"),
        };
        const shown = readPixKey(written[type]);
        expect(shown.kind === "key" && shown.key.type).toBe(type);
      }),
    );
  });

  it.each(["119.876.543-21", "119.000.000-83", "(11) 90000-0083", "(20) 98765-4321", "+", "+ ()"])(
    "%j is once stored the key that it was understood as",
    (typed) => {
      const reading = readPixKey(typed);
      if (reading.kind !== "key") throw new Error("Nothing is stored of it");
      expect(storedPixKey(reading.key.value)).toEqual(reading.key);
    },
  );

  it("reads what it wrote as the same key, whatever was typed", () => {
    const written = fc.oneof(
      fc.string({ unit: fc.constantFrom(...Array.from("0159abcF@.-/() +")), maxLength: 40 }),
      fc.stringMatching(/^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/),
      fc.stringMatching(/^\(?\d{2}\)? ?9\d{4}-?\d{4}$/),
      fc.stringMatching(
        /^(?:(?:pix|CPF|tel|e-mail)[: ])*(?:55 ?)?\(?0?\d\d\)?[ .]?9\d{4}[-.–]?\d{4}@?$/,
      ),
      fc.string({ unit: "grapheme", maxLength: 140 }),
    );
    fc.assert(
      fc.property(written, (text) => {
        const reading = readPixKey(text);
        if (reading.kind === "unusable") return;
        const keys = reading.kind === "key" ? [reading.key] : [reading.cpf, reading.phone];
        for (const key of keys) expect(storedPixKey(key.value)).toEqual(key);
      }),
      { numRuns: 2_000 },
    );
  });
});

it.each(["ANA@example.com", "529.982.247-25", "Telefone 11987654321"])(
  "the stored value %s, which no reading wrote, is suspect as it is",
  (value) => {
    expect(storedPixKey(value)).toEqual({ type: "unknown", value, suspect: true });
  },
);

it.each([
  [BOTH, "CPF", `cpf ${BOTH}`],
  [BOTH, "PHONE", `phone +55${BOTH}`],
  [`PIX ${BOTH}`, "CPF", `cpf ${BOTH}`],
  ["11987654321", "CPF", "cpf 11987654321 suspect"],
  ["11987654321", "PHONE", "phone +5511987654321"],
  ["ANA@example.com", "CPF", "email ana@example.com"],
  ["", "EVP", "unknown  suspect"],
] as const)("the service's key %j of type %s is read as %s", (pixKey, pixKeyType, expected) => {
  expect(inWords(destinationOf({ pixKey, pixKeyType }))).toBe(expected);
});

describe("a mask", () => {
  it.each<[PixKey, string]>([
    [asCpf("12345678909"), "***.456.789-**"],
    [{ type: "cnpj", value: "12ABC34501DE35", suspect: false }, "**.ABC.345/****-**"],
    [{ type: "email", value: "joao@dominio.com.br", suspect: false }, "j***@d***"],
    [{ type: "email", value: "ana@", suspect: true }, "a***@***"],
    [asPhone("11987654321"), "+55 11 *****-4321"],
    [asPhone("1133334444"), "+5****44"],
    [
      { type: "random", value: "71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d", suspect: false },
      "71c7****9a2d",
    ],
    [{ type: "unknown", value: "Chave da Ana", suspect: false }, "Ch****na"],
    [{ type: "unknown", value: "abc", suspect: false }, "****"],
  ])("of %o is %s", (key, mask) => {
    expect(maskPixKey(key)).toBe(mask);
  });

  it.each([
    ["529.982.247-25", "cpf"],
    ["12.abc.345/01de-35", "cnpj"],
    ["ana@example.com", "email"],
    ["(11) 98765-4321", "phone"],
    ["+1 212 555 0123", "phone"],
    ["123e4567-e89b-12d3-a456-426614174000", "random"],
    ["Chave da Ana", "unknown"],
    ["=cmd()|x!A1", "unknown"],
  ])("of %s tells that it was of type %s", (typed, type) => {
    const reading = readPixKey(typed);
    expect(reading.kind === "key" && maskedType(maskPixKey(reading.key))).toBe(type);
  });

  it("of another text tells no type, although the text holds a mask", () => {
    const masks = ["***.456.789-**", "**.ABC.345/****-**", "j***@d***", "+55 11 *****-4321"];
    for (const mask of [...masks, "+5****44", "71c7****9a2d"])
      expect([maskedType(`xx${mask}`), maskedType(`${mask}xx`)]).toEqual(["unknown", "unknown"]);
  });

  it.each([
    ["joao@dominio.com.br", "j***o@dominio.com.br"],
    ["jo@dominio.com.br", "j***@dominio.com.br"],
    ["529.982.247-25", "***.982.247-**"],
  ])("of %s on a receipt can be recognised: %s", (typed, mask) => {
    const reading = readPixKey(typed);
    expect(reading.kind === "key" && readableMask(reading.key)).toBe(mask);
  });

  it("never holds a whole key, and is short", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 140, unit: "grapheme" }), (text) => {
        const reading = readPixKey(text);
        if (reading.kind !== "key") return;
        const mask = maskPixKey(reading.key);
        expect(mask.includes(reading.key.value) && reading.key.value.length > 4).toBe(false);
        expect(Array.from(mask).length).toBeLessThanOrEqual(20);
      }),
      { numRuns: 500 },
    );
  });
});
