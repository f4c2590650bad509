import { describe, expect, test } from "vitest";
import type { Locale } from "#src/texts/locale.ts";
import { disputeListView, type DisputeListFacts } from "#src/views/disputes/dispute-list.ts";
import { listFacts, sampleRow, sampleSummary } from "./dispute-samples.ts";
import { labelsOf, menusOf, readMessage } from "../read-message.ts";

const viewOf = (given: Partial<DisputeListFacts> = {}) => disputeListView(listFacts(given));
const read = (given: Partial<DisputeListFacts> = {}) => readMessage(viewOf(given));
const NOBODY = { rows: [], found: 0, awaiting: 0 };
const EMPTY = {
  ...sampleSummary,
  byStatus: { pending: 0, agreed: 0, disagreed: 0, canceled: 0, total: 0 },
};

describe("a list without rows", () => {
  test.each([
    ["pt-BR", "Nenhum MED nesta conta.", "Nenhum MED nessa situação. No menu você escolhe outra."],
    ["en-US", "No MEDs on this account.", "None of this kind. The menu has the others."],
  ] as const)(
    "in %s says so, of all and of one kind, and offers the kinds",
    (locale, none, kind) => {
      const empty = viewOf({ ...NOBODY, summary: EMPTY, locale });
      expect(readMessage(empty)[1]).toBe(none);
      const narrowed = viewOf({ ...NOBODY, filter: "lost", locale });
      expect(readMessage(narrowed)[1]).toBe(kind);
      const others = viewOf({ ...NOBODY, awaiting: 2, filter: "lost", locale });
      expect(readMessage(others)[1]?.split("\n\n")[1]).toBe(kind);
      for (const view of [empty, narrowed]) {
        expect(menusOf(view).map(({ options }) => options.length)).toEqual([6]);
        expect(labelsOf(view)).toHaveLength(1);
        expect(view.embeds?.[0]?.fields?.length).toBe(3);
      }
    },
  );

  test("says that there is none only when all was read", () => {
    expect(read({ ...NOBODY, summary: EMPTY })[1]).toBe("Nenhum MED nesta conta.");
    expect(read({ ...NOBODY, rows: [sampleRow({ state: "won" })] })[1]).toBe(
      "Nenhum MED espera a sua resposta.",
    );
    for (const given of [
      { listProblem: "malformed" as const, problems: ["malformed" as const] },
      { unlisted: 2 },
      { unlisted: undefined, summary: undefined, problems: ["timeout" as const] },
      { rows: [sampleRow({ state: undefined })] },
      { rows: [sampleRow({ state: "other" })] },
    ]) {
      expect(read({ ...NOBODY, ...given }).join("\n")).not.toMatch(/Nenhum MED/);
    }
  });
});

describe("what could not be read", () => {
  test("that cannot be read says why, and how to open one by hand", () => {
    const unread = { listProblem: "malformed", problems: ["malformed"] } as const;
    const text = read({ ...NOBODY, ...unread }).join("\n");
    expect(text).toContain("**Não consegui ler a lista de MEDs do serviço agora.**");
    expect(text).toContain("O serviço respondeu algo que não entendi.");
    expect(text).toContain("abra com `/meds infracao:`, e eu passo a acompanhar o prazo dele");
    expect(text).not.toContain("os que eu já acompanhava");
    expect(read(unread).join("\n")).toContain("Abaixo estão os que eu já acompanhava.");
  });

  test("says when the summary was not read, and what it counts beyond the list", () => {
    const unread = {
      summary: undefined,
      unlisted: undefined,
      problems: ["timeout"],
      supportCodes: ["req_1"],
    } as const;
    expect(read(unread)).toContain("Código de suporte: `req_1`");
    expect(read(unread)[1]).toContain(
      "Não consegui ler o resumo do serviço agora. O serviço de pagamentos demorou demais.",
    );
    expect(read({ unlisted: 1 })[1]).toContain("conta 1 MED que não aparece na lista");
    expect(read({ unlisted: 6 })[1]).toContain("conta 6 MEDs que não aparecem na lista");
  });

  test("S12: says that the service counts more without an answer than is shown", () => {
    const [, text] = read({ unlisted: 1, unlistedPending: 1 });
    expect(text).toContain("**O serviço conta 2 MEDs pendentes e eu só vejo 1.**");
    expect(text).toContain("Abra o painel do serviço");
    expect(text).not.toContain("O resumo conta 1 MED que");
    expect(read({ unlistedPending: 2, listProblem: "malformed" })[1]).toContain("não vejo nenhum");
    expect(read({ awaiting: 0, rows: [], unlistedPending: 1 })[1]).not.toContain("Nenhum MED");
    expect(read({ unlistedPending: 1, locale: "en-US" })[1]).toContain("I can see only 1.");
  });

  test("counts those that wait as at least so many, since others may wait too", () => {
    for (const given of [{ unlisted: 6 }, { listProblem: "timeout" as const }])
      expect(read(given)[1]).toContain("**Pelo menos 1 MED espera a sua resposta.**");
    expect(read({ unlisted: 6, awaiting: 2, locale: "en-US" })[1]).toContain(
      "**At least 2 MEDs await your answer.**",
    );
  });
});

describe("beside the list", () => {
  test("tells apart those without an answer that the bank has decided, since no answer is awaited there", () => {
    const decided = (decidedUnanswered: number, locale: Locale = "pt-BR") =>
      read({ awaiting: 1, decidedUnanswered, locale }).find((each) =>
        each.startsWith(locale === "pt-BR" ? "Pela sua resposta" : "By your answer"),
      );
    expect(decided(0)).toContain("Sem resposta: **2**\n");
    expect(decided(1)).toContain("Sem resposta: **2** (1 já decidido pelo banco)\n");
    expect(decided(2)).toContain("(2 já decididos pelo banco)");
    expect(decided(1, "en-US")).toContain("Not answered: **2** (1 already decided by the bank)");
  });

  test("says when nobody reminds of deadlines, or when what was sent reached nobody, and what to do", () => {
    const text = (given: Partial<DisputeListFacts>) => read(given)[1];
    expect(text({})).not.toMatch(/alerta/);
    expect(text({ alerts: "off", undelivered: 3 })).toMatch(/desligados.*`\/conta ver`/);
    expect(text({ undelivered: 1 })).toContain(
      "**1 alerta dos últimos 7 dias não chegou até você.** Libere no Discord as mensagens diretas",
    );
    expect(text({ undelivered: 4 })).toMatch(
      /4 alertas.*não chegaram.*canal de alertas em `\/conta ver`/,
    );
    expect(text({ undelivered: 4, locale: "en-US" })).toContain("4 alerts of the last 7 days");
    expect(text({ alerts: "off", locale: "en-US" })).toContain("**Your MED alerts are off.**");
  });
});
