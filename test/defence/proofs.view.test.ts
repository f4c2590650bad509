import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Proof } from "#src/defence/proof.ts";
import type { Locale } from "#src/shared/locale.ts";
import {
  proofDetailView,
  proofKeptView,
  proofListView,
  proofRemovalView,
  proofModal,
} from "#src/defence/proofs.view.ts";
import { hostileText } from "../support/any-text.ts";
import { sampleProof } from "./dossier-samples.ts";
import { brokenLimits, brokenModalLimits } from "../ui/message-limits.ts";
import { buttonsOf, menusOf, readMessage } from "../ui/read-message.ts";

const RUNS = 1_000;
const listOf = (rows: readonly Proof[], given: object = {}, locale: Locale = "pt-BR") =>
  proofListView(
    { rows, page: 0, pages: 1, found: rows.length, removed: false, unreadable: 0, ...given },
    locale,
  );
const keptView = (proof: Proof, locale: Locale) =>
  proofKeptView({ proof, isNew: true, isSaleMissing: false }, locale);
const outsideCode = (shown: unknown): string => JSON.stringify(shown).replace(/`[^`]*`/g, "`code`");

describe("the list of proofs", () => {
  test("without any says how to keep one, and offers nothing to click", () => {
    const list = listOf([]);
    expect(readMessage(list).join("\n")).toContain("**Guardar como prova**");
    expect(list.components).toEqual([]);
    expect(readMessage(listOf([], {}, "en-US")).join("\n")).toContain("**Keep as evidence**");
  });

  test.each([
    ["pt-BR", 1, "Não consigo decifrar 1 das suas provas"],
    ["pt-BR", 2, "Não consigo decifrar 2 das suas provas"],
    ["en-US", 1, "I cannot decrypt 1 message of your evidence"],
    ["en-US", 2, "I cannot decrypt 2 messages of your evidence"],
  ] as const)(
    "says in %s that %s cannot be read, and not that none is kept",
    (locale, unreadable, said) => {
      for (const rows of [[], [sampleProof()]]) {
        const text = readMessage(listOf(rows, { unreadable }, locale)).join("\n");
        expect(text).toContain(said);
        expect(text).not.toMatch(/nenhuma prova|any evidence/);
      }
    },
  );

  test("shows each with its sale, its author and a glimpse, and opens it", () => {
    const list = listOf([sampleProof(), sampleProof({ id: "proof-2", content: { text: " " } })]);
    const text = readMessage(list).join("\n");
    expect(text).toContain("**2 provas guardadas.**");
    expect(text).toContain("`Recebi o acesso ao Plano VIP, obrigado.`");
    expect(text).toContain("sem texto");
    expect(menusOf(list).map(({ options }) => options.map(({ value }) => value))).toEqual([
      ["proof-1", "proof-2"],
    ]);
  });

  test("tells them apart in its menu by time, author and first words, with the sale below", () => {
    const [menu] = menusOf(listOf([sampleProof(), sampleProof({ content: { text: " " } })]));
    expect(menu?.options).toMatchObject([
      {
        label: "sex 20/11 15:00 · “Bruno” · “Recebi o acesso ao Plano VIP, obrigado.”",
        description: "a41f07c98e2d4b6391d05c7f",
      },
      { label: "sex 20/11 15:00 · “Bruno”" },
    ]);
  });

  test("says that the hours in its menu are Brasília's", () => {
    const placeholder = (locale: Locale) =>
      menusOf(listOf([sampleProof()], {}, locale))[0]?.placeholder;
    expect(placeholder("pt-BR")).toBe("Abrir uma prova (horários de Brasília)");
    expect(placeholder("en-US")).toBe("Open one (Brasília time)");
  });

  test("quotes in its menu the plain characters alone of what strangers wrote", () => {
    const content = {
      authorName: "✅ **Todas**",
      text: `[a](https://b.example)\n${"c".repeat(99)}`,
    };
    const [menu] = menusOf(listOf([sampleProof({ content })]));
    expect(menu?.options[0]?.label).toBe(
      `sex 20/11 15:00 · “Todas” · “a (https b.example) ${"c".repeat(19)}…”`,
    );
  });

  test("turns its pages where there are more", () => {
    const middle = listOf([sampleProof()], { page: 1, pages: 3, found: 21 });
    expect(buttonsOf(middle)).toEqual({
      Anteriores: "provas:pagina:0",
      Próximas: "provas:pagina:2",
    });
    expect(readMessage(middle).join("\n")).toContain("Página 2 de 3.");
    const last = listOf([sampleProof()], { page: 2, pages: 3, found: 21, removed: true });
    expect(buttonsOf(last)).toEqual({ Anteriores: "provas:pagina:1" });
    expect(readMessage(last).join("\n")).toContain("Prova apagada.");
  });
});

describe("one proof", () => {
  test("is shown with where it stands, its digest and the way to delete it", () => {
    const detail = proofDetailView(sampleProof(), "pt-BR");
    const text = readMessage(detail).join("\n");
    expect(text).toContain(
      "https://discord.com/channels/1180000000000000001/1180000000000000101/1180000000000000401",
    );
    expect(text).toContain("`Bruno` (id `1180000000000000202`)");
    expect(buttonsOf(detail)).toEqual({
      "Ver todas": "provas:pagina:0",
      "Apagar esta prova": "provas:perguntar:proof-1",
    });
  });

  test("is deleted by a button in a row below those of before, so that a double tap keeps it", () => {
    const asked = proofRemovalView(sampleProof(), "pt-BR");
    expect(readMessage(asked).join("\n")).toContain("Não há volta");
    expect(buttonsOf(asked)).toEqual({
      Manter: "provas:pagina:0",
      "Apagar de vez": "provas:apagar:proof-1",
    });
    expect(asked.components).toHaveLength(2);
    expect(proofDetailView(sampleProof(), "pt-BR").components).toHaveLength(1);
  });

  test("of a forward names who forwarded it, not an author", () => {
    const detail = proofDetailView(sampleProof({ content: { forwarded: true } }), "pt-BR");
    const text = readMessage(detail).join("\n");
    expect(text).toContain("Quem encaminhou: `Bruno` (id `1180000000000000202`)");
    expect(text).not.toMatch(/Quem escreveu|Escrita em/);
  });

  test("that was just kept says that its files are not, when it has any", () => {
    const kept = readMessage(keptView(sampleProof(), "pt-BR")).join("\n");
    expect(kept).toContain("salve cada um no seu aparelho agora");
    const plain = keptView(sampleProof({ content: { attachments: [] } }), "pt-BR");
    expect(readMessage(plain).join("\n")).not.toContain("no seu aparelho");
  });

  test("that was kept before is shown as it was kept, and that nothing more is", () => {
    const again = (locale: Locale) =>
      readMessage(
        proofKeptView({ proof: sampleProof(), isNew: false, isSaleMissing: false }, locale),
      );
    expect(again("pt-BR")[0]).toBe("Você já guardou esta mensagem");
    expect(again("pt-BR")[1]).toContain("Nada mais foi guardado.");
    expect(again("en-US")[1]).toContain("Nothing more was kept.");
    expect(again("pt-BR").slice(2)).toEqual(readMessage(keptView(sampleProof(), "pt-BR")).slice(2));
  });

  test.each(["pt-BR", "en-US"] as const)(
    "of no known sale is kept in %s without the promise of the defence",
    (locale) => {
      const texts = (isSaleMissing: boolean) =>
        readMessage(proofKeptView({ proof: sampleProof(), isNew: true, isSaleMissing }, locale))[1];
      expect(texts(false)).toContain("`/meds`");
      expect(texts(true)).not.toContain("`/meds`");
      expect(texts(true)).toMatch(/Não achei essa venda na sua conta|I did not find that sale/);
    },
  );

  test("tells of many attachments how many more there are", () => {
    const attachments = Array.from({ length: 10 }, (_, n) => `${n}.png`);
    const detail = proofDetailView(sampleProof({ content: { attachments } }), "pt-BR");
    expect(readMessage(detail).join("\n")).toContain("e mais 6");
  });
});

const sale = (value: string, name = `“Curso” · ${value}`) => ({ name, value });
const NO_SALES = { disputed: [], recent: [], chosen: undefined };

describe("the form", () => {
  test.each(["pt-BR", "en-US"] as const)(
    "asks for the txid where no sale is known, in %s",
    (locale) => {
      const form = proofModal("proof-1", NO_SALES, locale);
      expect(form.customId).toBe("provas:guardar:proof-1");
      expect(form.fields).toMatchObject([{ id: "txid", required: true }]);
      expect(brokenModalLimits(form)).toEqual([]);
    },
  );

  test.each([
    ["pt-BR", "horários de Brasília"],
    ["en-US", "Brasília time"],
  ] as const)("says in %s that the hours in its menu are Brasília's", (locale, said) => {
    const recent = [sale("s1")];
    const [menu] = proofModal("proof-1", { ...NO_SALES, recent }, locale).fields;
    expect(menu?.placeholder).toContain(said);
  });

  test.each(["pt-BR", "en-US"] as const)(
    "offers open MEDs, then sales, each once, and a field for another, in %s",
    (locale) => {
      const disputed = [sale("s2", "MED · R$ 1,00")];
      const recent = [sale("s1"), sale("s2"), sale("s3")];
      const form = proofModal("proof-1", { ...NO_SALES, disputed, recent }, locale);
      const [menu, typed] = form.fields;
      expect(menu).toMatchObject({ id: "venda", required: false });
      expect(menu && "options" in menu && menu.options.map(({ value }) => value)).toEqual([
        "s2",
        "s1",
        "s3",
      ]);
      expect(typed).toMatchObject({ id: "txid", required: false });
      expect(brokenModalLimits(form)).toEqual([]);
    },
  );

  test("tells equal sales apart beneath their names", () => {
    const recent = [{ ...sale("s1", "Curso"), description: "txid …s1" }, sale("s2", "Curso")];
    const [menu] = proofModal("proof-1", { ...NO_SALES, recent }, "pt-BR").fields;
    expect(menu && "options" in menu && menu.options.map((each) => each.description)).toEqual([
      "txid …s1",
      undefined,
    ]);
  });

  test("has the sale selected that was chosen beforehand, be it among the newest or not", () => {
    const recent = Array.from({ length: 40 }, (_, n) => sale(`s${n}`));
    for (const chosen of ["s39", "s3", "old"]) {
      const [menu] = proofModal("proof-1", { ...NO_SALES, recent, chosen }, "pt-BR").fields;
      const options = menu && "options" in menu ? menu.options : [];
      expect(options).toHaveLength(25);
      expect(options.filter((each) => each.chosen).map(({ value }) => value)).toEqual([chosen]);
    }
  });
});

test(`what strangers write changes nothing outside its code: ${RUNS} texts`, () => {
  const views: Readonly<Record<string, (proof: Proof, locale: Locale) => unknown>> = {
    detail: proofDetailView,
    kept: keptView,
    // The menu shows names as plain text, so its only check is the length.
    list: (proof, locale) => ({ ...listOf([proof], {}, locale), components: [] }),
  };
  const property = fc.property(
    hostileText.map((text) => `:${text}`),
    fc.constantFrom(...Object.keys(views)),
    fc.constantFrom<Locale>("pt-BR", "en-US"),
    (text, name, locale) => {
      const proofOf = (said: string) =>
        sampleProof({
          txid: said,
          content: { text: said, authorName: said, attachments: [said, said] },
        });
      const show = views[name]!;
      const shown = show(proofOf(text), locale);
      expect(outsideCode(shown)).toBe(outsideCode(show(proofOf(":"), locale)));
      expect(brokenLimits(shown as ReturnType<typeof proofDetailView>)).toEqual([]);
      expect(brokenLimits(listOf([proofOf(text)], {}, locale))).toEqual([]);
    },
  );
  fc.assert(property, { numRuns: RUNS });
});
