import { describe, expect, test } from "vitest";
import { commands } from "#commands/index.ts";
import { described, textsFor } from "#src/texts.ts";

const sentences = (value: unknown, path = ""): readonly (readonly [string, string])[] => {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => sentences(inner, `${path}.${key}`));
};
const templates = (value: unknown): readonly string[] => {
  if (typeof value === "function") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(templates);
};

const portuguese = textsFor("pt-BR");
const english = textsFor("en-US");
const SAME_IN_BOTH = [
  ".help.title",
  ".disputes.detailTitle",
  ".closes.disputes",
  ".withdraw.speeds.normal",
  ".withdraw.speeds.turbo",
];

describe("the two catalogues", () => {
  test("say every sentence in their own language", () => {
    const theirs = new Map(sentences(english));
    const untranslated = sentences(portuguese).filter(
      ([path, sentence]) => theirs.get(path) === sentence && !SAME_IN_BOTH.includes(path),
    );
    expect(sentences(portuguese).length).toBeGreaterThan(150);
    expect(untranslated).toEqual([]);
  });

  test.each([
    ["pt-BR", portuguese],
    ["en-US", english],
  ] as const)("in %s never exclaim, and leave nothing empty", (_, texts) => {
    expect(sentences(texts).filter(([, sentence]) => sentence.trim() === "")).toEqual([]);
    expect(sentences(texts).filter(([, sentence]) => sentence.includes("!"))).toEqual([]);
    expect(templates(texts).filter((source) => /[^=!]!(?!=)/.test(source))).toEqual([]);
  });

  test.each([
    ["pt-BR", portuguese, /disputa|chargeback|gateway|dashboard|responder o MED|não responde o/i],
    ["en-US", english, /\bpanel\b|\bcontest(?!ed)|infraction|\bproof|\bfrozen/i],
  ] as const)(
    "in %s call a dispute, its claim and its answer by one word each",
    (_, texts, others) => {
      const { account, disputes, disputeAlerts, dossier, help, ownAlerts, proofs } = texts;
      const told = { account, disputes, disputeAlerts, dossier, help, ownAlerts, proofs };
      expect(sentences(told).filter(([, sentence]) => others.test(sentence))).toEqual([]);
    },
  );

  test.each([
    ["pt-BR", portuguese],
    ["en-US", english],
  ] as const)("in %s name commands that exist", (_, texts) => {
    const all = [...sentences(texts).map(([, sentence]) => sentence), ...templates(texts)];
    const named = new Set(
      all.flatMap((text) => [...text.matchAll(/`\/([a-z-]+)/g)].map(([, name]) => name)),
    );
    const known = new Set(commands.map(({ definition }) => definition.name));
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !known.has(name ?? ""))).toEqual([]);
  });

  test("in English name each option as clients in English show it", () => {
    const shown =
      /[`\s](ativo|canal|cargo|chave|estado|horario|infracao|membro|recebedor|valor)[`:]/;
    expect(sentences(english).filter(([, sentence]) => shown.test(sentence))).toEqual([]);
    expect(templates(english).filter((source) => shown.test(source))).toEqual([]);
  });

  test.each([
    ["pt-BR", portuguese, /trav[ae] tudo|parar tudo|dinheiro está travado/i],
    ["en-US", english, /lock everything|stop everything|money is locked/i],
  ] as const)(
    "S15: in %s say that the lock stops withdrawals, and nowhere that it stops all",
    (_, texts, all) => {
      expect(sentences(texts).filter(([, sentence]) => all.test(sentence))).toEqual([]);
      const lock = [
        texts.commands.travar.self,
        texts.help.goodToKnowText.join(" "),
        texts.guards.lockedText,
        texts.guards.changes.locked.text,
        texts.userErrors.money_locked.next,
      ];
      expect(lock.filter((sentence) => !/cancel/i.test(sentence))).toEqual([]);
    },
  );

  test("describe commands in at most 100 characters", () => {
    const long = [portuguese, english].flatMap((texts) =>
      sentences(texts.commands).filter(([, description]) => description.length > 100),
    );
    expect(long).toEqual([]);
  });
});

describe("a description", () => {
  test("is Portuguese for everybody and English for clients in any other language", () => {
    expect(described(({ vendas }) => vendas.self)).toMatchObject({
      description: "Mostra as suas vendas de um dia ou de um período, e o quanto mudaram",
      description_localizations: {
        "en-US": "Shows your sales of a day or a period, and how they changed",
        "es-419": "Shows your sales of a day or a period, and how they changed",
      },
    });
  });
});
