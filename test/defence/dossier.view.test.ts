import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DisputeState } from "#src/disputes/dispute.ts";
import type { Locale } from "#src/shared/locale.ts";
import { textsFor } from "#src/texts.ts";
import {
  type DossierFacts,
  dossierText,
  makeDossier,
  proofsFileReply,
} from "#src/defence/dossier.view.ts";
import { type Proof, type ProofContent, proofDigest } from "#src/defence/proof.ts";
import { dossierReply } from "#src/defence/dossier-reply.view.ts";
import { hostileText } from "../support/any-text.ts";
import { NOW } from "../support/samples.ts";
import {
  apiSale,
  detailFacts,
  esalesSale,
  hostileDispute,
  sampleDispute,
} from "../disputes/dispute-samples.ts";
import { dossierFacts, sampleProof } from "./dossier-samples.ts";
import { HOSTILE_SAMPLES, outsideCode, UNSEEN } from "../ui/hostile-samples.ts";
import { sentName } from "#src/discord/message-body.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { readMessage } from "../ui/read-message.ts";

const RUNS = 400;
const PDF = new Uint8Array([37, 80, 68, 70]);

const textOf = (facts: DossierFacts, locale: Locale = "pt-BR"): string =>
  dossierText(makeDossier(facts, locale)).replaceAll("\u00a0", " ");
const replyOf = (
  facts: DossierFacts,
  locale: Locale = "pt-BR",
  pdf: Uint8Array | undefined = PDF,
) => dossierReply(facts, makeDossier(facts, locale), pdf, locale);
/** All that strangers write, or that the service does, is this text. */
const hostileFacts = (text: string, count = 2): DossierFacts => {
  const content = { text, authorName: text, attachments: [text, text] };
  const dispute = { ...hostileDispute(text), infractionId: text };
  const proofs = Array.from({ length: count }, () => sampleProof({ txid: text, content }));
  const detail = detailFacts({ dispute, state: "other" });
  return { detail, proofs, unreadable: 0, answerUrl: undefined };
};
const locales = ["pt-BR", "en-US"] as const;
const examples = Object.values(HOSTILE_SAMPLES).flatMap((text) =>
  locales.map((locale): [string, Locale] => [text, locale]),
);
const inState = (state: DisputeState, given: Parameters<typeof sampleDispute>[0] = {}) =>
  dossierFacts({ detail: detailFacts({ state, dispute: sampleDispute(given) }) });

describe("the text of a defence", () => {
  test("has the dispute, the sale and the proofs", () => {
    const text = textOf(dossierFacts());
    for (const line of [
      "Pagador: Carla · documento ***.482.917-**",
      "Canal: Venda pela API",
      "Descrição: Plano VIP mensal",
      "  > Recebi o acesso ao Plano VIP, obrigado.",
      "  Nome do anexo: tela.png",
      "  SHA-256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ])
      expect(text.split("\r\n")).toContain(line);
  });

  test.each(["pt-BR", "en-US"] as const)(
    "has nothing that is the seller's own business, in %s",
    (locale) => {
      const bare = { dispute: { sale: undefined, payerName: undefined }, proofs: [] };
      for (const facts of [dossierFacts(), dossierFacts({ ...bare, answerUrl: undefined })]) {
        const text = textOf(facts, locale);
        const words = textsFor(locale).dossier;
        for (const own of [words.missing, words.checklist, words.missingProofs, words.missingUrl])
          expect(text.toLowerCase()).not.toContain(own.toLowerCase());
        expect(text).not.toMatch(/\[|\]|☐|painel|dashboard/);
      }
    },
  );

  test("has each proof of the sale whole, however long and many they are", () => {
    const text = `${"Pedido 123 entregue. ".repeat(470)}Aceito por Carla`;
    const attachments = Array.from({ length: 12 }, (_, n) => `${"x".repeat(320)}${n}.png`);
    const proofs = Array.from({ length: 200 }, () =>
      sampleProof({ content: { text, attachments } }),
    );
    const written = textOf(dossierFacts({ proofs }));
    for (const whole of [text, ...attachments])
      expect(written.split(whole)).toHaveLength(proofs.length + 1);
    expect(written).not.toMatch(/…|\/provas/);
  });

  test("has the words of a contest, an answer and a sale whole where Discord's field has no room", () => {
    const long = `${"Pedido 123 não entregue. ".repeat(39)}Pedi o dinheiro de volta`;
    const dispute = {
      description: long,
      answer: long,
      sale: { ...apiSale, description: long },
    };
    expect(textOf(dossierFacts({ dispute })).split(long)).toHaveLength(4);
    expect(
      textOf(
        dossierFacts({ dispute: { ...dispute, sale: { ...esalesSale, productName: long } } }),
      ).split(long),
    ).toHaveLength(4);
  });

  test("shows a sale of the other form, and one that the service does not show", () => {
    const esales = textOf(dossierFacts({ dispute: { sale: esalesSale } }));
    expect(esales).toContain("Produto: Curso de edição de vídeo\r\nComprador: Bruno");
    expect(esales).not.toContain("Situação da venda");
    const none = textOf(dossierFacts({ dispute: { sale: undefined } }));
    expect(none).not.toContain("A VENDA CONTESTADA");
  });

  test("names who forwarded a message as that, not as its author", () => {
    const facts = dossierFacts({ proofs: [sampleProof({ content: { forwarded: true } })] });
    const text = textOf(facts);
    expect(text).toContain("  Quem encaminhou: Bruno (id 1180000000000000202)");
    expect(text).toContain("  Encaminhada em: 20/11/2026 15:00");
    expect(text).not.toMatch(/Quem escreveu|Escrita em/);
    expect(textOf(facts, "en-US")).toContain("  Forwarded by: Bruno");
  });

  test("is in English for who reads English, all but what others wrote", () => {
    const text = textOf(dossierFacts(), "en-US");
    expect(text).toContain("Defence against a MED");
    expect(text).toContain("  > Recebi o acesso ao Plano VIP, obrigado.");
    expect(text).not.toContain(textsFor("pt-BR").dossier.title);
  });

  test.each([
    ["it", (text: string, locale: Locale) => textOf(hostileFacts(text), locale)],
    [
      "the file of proofs",
      (text: string, locale: Locale) => {
        const { files = [] } = proofsFileReply(hostileFacts(text), NOW, locale);
        return files
          .map(({ data }) => new TextDecoder("utf-8", { fatal: true }).decode(data))
          .join("");
      },
    ],
  ])(
    `has words on lines of their own, whatever strangers write in %s: ${RUNS} texts`,
    (_, made) => {
      const linesOf = (text: string, locale: Locale) =>
        made(text, locale).split(/[\n\v\f\r\u0085\u2028\u2029]+/);
      /** Each line of a kept message begins with the sign of a quote. */
      const ownLines = (lines: readonly string[]) => lines.filter((line) => !/^ {2}> /.test(line));
      for (const locale of locales) expect(made(":zqx", locale)).toContain(":zqx");
      const property = fc.property(
        hostileText.map((text) => `:${text}`),
        fc.constantFrom(...locales),
        (text, locale) => {
          const shown = linesOf(text, locale);
          expect(ownLines(shown)).toHaveLength(ownLines(linesOf(":", locale)).length);
          expect(shown.join("")).not.toMatch(UNSEEN);
        },
      );
      fc.assert(property, { numRuns: RUNS, examples });
    },
  );
});

const keptOf = (given: Partial<ProofContent>): Proof => {
  const { content } = sampleProof({ content: given });
  return sampleProof({ content: { ...content, sha256: proofDigest(content) } });
};
const proofsFileOf = (proofs: readonly Proof[], locale: Locale, unreadable = 0): string =>
  new TextDecoder().decode(proofsFileReply({ proofs, unreadable }, NOW, locale).files?.[0]?.data);

test.each([
  ["pt-BR", "**Não consigo decifrar 2 das suas provas.**", "ele tem as outras"],
  ["en-US", "**I cannot decrypt 2 messages of your evidence.**", "it has the others"],
] as const)(
  "the file of proofs of which two cannot be read says so, in %s",
  (locale, said, others) => {
    const none = proofsFileReply({ proofs: [], unreadable: 2 }, NOW, locale);
    expect(readMessage(none).join()).toContain(said);
    expect(none.files).toBeUndefined();
    const rest = readMessage(proofsFileReply({ proofs: [keptOf({})], unreadable: 2 }, NOW, locale));
    expect(rest.join()).toContain(said);
    expect(rest.join()).toContain(others);
  },
);

test.each([
  ["pt-BR", "Não consigo decifrar 2 das suas provas. Elas continuam guardadas"],
  ["en-US", "I cannot decrypt 2 messages of your evidence. They are still kept"],
] as const)("the kept file itself names the proofs that it lacks, in %s", (locale, said) => {
  expect(proofsFileOf([keptOf({})], locale, 2)).toContain(`\r\n${said}`);
  expect(proofsFileOf([keptOf({})], locale)).not.toContain(said.slice(0, 12));
});

describe("the file of all proofs", () => {
  const TEXT = "Pedido:  12\n\nChave: `a`\tb";

  test("has a message in its own lines and characters, and times to the millisecond", () => {
    const writtenAt = Temporal.Instant.from("2026-11-20T18:00:12.345Z");
    const text = proofsFileOf([keptOf({ text: TEXT, writtenAt })], "pt-BR");
    expect(text).toContain("\r\n  > Pedido:  12\r\n  > \r\n  > Chave: `a`    b\r\n");
    expect(text).toContain("  Escrita em: 20/11/2026 15:00 (UTC: 2026-11-20T18:00:12.345Z)\r\n");
  });

  /** Lines to check by, as their sentence says to read them. */
  const digestsIn = (file: string): readonly string[] =>
    file
      .split("\r\n")
      .filter((line) => /^(\[.*\]|[A-Za-z0-9+/]{40,}=*)$/.test(line))
      .map((line) => Buffer.from(line, line.startsWith("[") ? "utf8" : "base64"))
      .map((hashed) => createHash("sha256").update(hashed).digest("hex"));

  test(`has for each proof a line of which its SHA-256 is made again: ${RUNS} texts`, () => {
    const property = fc.property(hostileText, fc.constantFrom(...locales), (text, locale) => {
      const editedAt = Temporal.Instant.from("2026-11-20T18:00:12.345Z");
      const proofs = [
        keptOf({ text: TEXT }),
        keptOf({ text, authorName: text, attachments: [text], editedAt, forwarded: true }),
      ];
      const digests = proofs.map(({ content }) => content.sha256);
      expect(digestsIn(proofsFileOf(proofs, locale))).toEqual(digests);
      const dossier = makeDossier(dossierFacts({ proofs }), locale);
      expect(digestsIn(dossierText(dossier))).toEqual(digests);
    });
    fc.assert(property, { numRuns: RUNS, examples });
  });

  test("has that line as JSON where each character of it is seen", () => {
    expect(proofsFileOf([keptOf({ text: TEXT })], "pt-BR")).toContain(
      '\r\n["1180000000000000202","Bruno","2026-11-20T18:00:00Z",null,"Pedido:  12\\n\\nChave: `a`\\tb",["tela.png"]]\r\n',
    );
  });

  test("says so of an older proof whose SHA-256 its kept text does not make", () => {
    for (const locale of locales) {
      const file = proofsFileOf([sampleProof()], locale);
      expect(digestsIn(file)).toEqual([]);
      expect(file).toContain(textsFor(locale).dossier.earlierDigest);
    }
  });
});

describe("the answer with a defence", () => {
  test("says that nothing was answered, by when and where the seller does it", () => {
    const [title, description] = readMessage(replyOf(dossierFacts()));
    expect(title).toBe("Defesa preparada");
    expect(description).toContain("**Nada foi respondido.** Quem responde é você");
    expect(description).toContain(
      "em https://painel.example.com/med, até <t:1795370400:d> <t:1795370400:t>",
    );
  });

  test.each([
    ["FRAUDE", "Se o pagador não é quem comprou, como o pedido foi confirmado."],
    ["ERRO", "Se você já devolveu por outro meio, o comprovante."],
    ["NOVO", "Quem comprou e a conversa com essa pessoa."],
    ["constructor", "Quem comprou e a conversa com essa pessoa."],
  ])("of type %s has a checklist of its own", (situation, check) => {
    const shown = readMessage(replyOf(dossierFacts({ dispute: { situation } }))).join("\n");
    expect(shown).toContain(`☐ ${check}`);
    expect(shown).toContain("☑ A venda no serviço: txid, valor e data.");
    const unknown = replyOf(dossierFacts({ dispute: { situation, sale: undefined }, proofs: [] }));
    expect(readMessage(unknown).join("\n")).toContain("☐ A venda no serviço: txid, valor e data.");
  });

  test.each([
    ["Curso completo.", "Curso completo."],
    ["Plano VIP... ", "Plano VIP."],
    ["...", "[diga o que foi vendido]."],
  ])("has a draft in which the sale of %j ends as %j", (productName, end) => {
    const facts = dossierFacts({ dispute: { sale: { ...esalesSale, productName } } });
    expect(replyOf(facts).content).toContain(`: ${end}\n`);
  });

  test("has both files, named after the infraction, or the text alone without a PDF", () => {
    const names = (reply: ReturnType<typeof replyOf>) => reply.files?.map(({ name }) => name);
    const dispute = { infractionId: "med/../1" };
    expect(names(replyOf(dossierFacts({ dispute })))).toEqual([
      "defesa-med____1.pdf",
      "defesa-med____1.txt",
    ]);
    const facts = dossierFacts();
    const alone = dossierReply(facts, makeDossier(facts, "pt-BR"), undefined, "pt-BR");
    expect(alone.files).toHaveLength(1);
    expect(readMessage(alone).join("\n")).toContain("Não consegui fazer o PDF agora.");
  });

  test.each([
    ["needs_answer", []],
    ["other", []],
    ["overdue", ["O prazo acabou em"]],
    ["defended", ["Este MED já não espera uma resposta"]],
    ["lost", ["Este MED já não espera uma resposta"]],
  ] as const)("in the state %s warns of %j", (state, warnings) => {
    const shown = readMessage(replyOf(inState(state))).join("\n");
    expect(shown.match(/prazo/g) ?? []).toHaveLength(state === "overdue" ? 1 : 0);
    for (const words of ["O prazo acabou em", "Este MED já não espera uma resposta"])
      expect(shown.includes(words)).toBe(warnings.some((warning) => warning === words));
  });

  test.each([
    ["needs_answer", false, "você, em https://painel.example.com/med, até"],
    ["overdue", true, "O prazo acabou em <t:1795197600:d> <t:1795197600:t>"],
    ["other", true, "O prazo acabou em <t:1795197600:d> <t:1795197600:t>"],
    ["won", false, "**Nada foi respondido por aqui.** `/meds` mostra"],
  ] as const)(
    "in the state %s, with a deadline that passed: %s, says what is left to do",
    (state, passed, words) => {
      const facts = { ...inState(state, passed ? { dueAt: NOW } : {}), proofs: [] };
      const shown = readMessage(replyOf(facts)).join("\n");
      expect(shown).toContain(words);
      expect(shown).toContain("Provas: nenhuma mensagem guardada");
      expect(shown.includes("Ainda dá tempo")).toBe(state === "needs_answer");
    },
  );

  test("does not call a proof that cannot be read as never kept", () => {
    const facts = dossierFacts({ proofs: [], unreadable: 1 });
    const shown = readMessage(replyOf(facts)).join("\n");
    expect(shown).toContain("Provas: não consigo decifrar 1 das que você guardou");
    expect(shown).not.toContain("nenhuma mensagem guardada");
  });

  test.each([
    ["defended", "Retido (o líquido): R$ 234,06"],
    ["won", "Líquido da venda: R$ 234,06"],
    ["lost", "Líquido da venda: R$ 234,06"],
    ["cancelled", "Líquido da venda: R$ 234,06"],
  ] as const)("in the state %s calls the net amount what it is now", (state, words) => {
    expect(textOf(inState(state)).split("\r\n")).toContain(words);
  });

  test("tells all that is missing", () => {
    const facts = dossierFacts({
      dispute: { sale: undefined, payerName: undefined },
      proofs: [],
      answerUrl: undefined,
    });
    const shown = readMessage(replyOf(facts)).join("\n");
    for (const words of ["A venda:", "Provas: nenhuma", "O pagador:", "O endereço do painel:"])
      expect(shown).toContain(`- ${words}`);
    expect(replyOf(facts).content).toContain("Provas: [liste o que você vai juntar].");
    expect(replyOf(facts).content).toContain("Venda: [diga o que foi vendido, quando e a quem].");
  });

  test(`keeps strangers' words within its one code block, and within limits: ${RUNS} texts`, () => {
    const property = fc.property(hostileText, fc.constantFrom(...locales), (text, locale) => {
      const reply = replyOf(hostileFacts(text, 30), locale);
      const { content = "", embeds = [], files = [] } = reply;
      const [before = "", block = ""] = content.split("```");
      expect(content.split("```")).toHaveLength(3);
      expect(content.replaceAll("```", "")).not.toContain("`");
      expect(content.endsWith("\n```")).toBe(true);
      expect(block.replaceAll("\n", "")).not.toMatch(UNSEEN);
      expect(before + outsideCode({ embeds })).not.toContain("zqx");
      for (const file of files) expect(sentName(file)).toMatch(/^[\w-]+\.(pdf|txt)$/);
      expect(brokenLimits(reply)).toEqual([]);
    });
    fc.assert(property, { numRuns: RUNS, examples });
  });
});
