import { execFileSync } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeDossier } from "#src/defence/dossier.view.ts";
import { drawDossier } from "#src/print/draw-dossier.ts";
import { winAnsi } from "#src/print/pdf.ts";
import { createPrint } from "#src/print/print.service.ts";
import { createLogger } from "#src/shared/log.ts";
import { createSecretScrubber } from "#src/shared/secret.ts";
import { hostileText } from "../support/any-text.ts";
import { pdfText } from "../support/pdf-text.ts";
import { apiSale, detailFacts, hostileDispute } from "../disputes/dispute-samples.ts";
import { dossierFacts, sampleProof } from "../defence/dossier-samples.ts";
import { HOSTILE_SAMPLES } from "../ui/hostile-samples.ts";

const lines: string[] = [];
const log = createLogger("warn", createSecretScrubber(), {
  write: (line) => void lines.push(line),
});
const { dossier: print } = createPrint(log);
const dossier = makeDossier(dossierFacts(), "pt-BR");
const printed = async (): Promise<Uint8Array> => (await print(dossier)) ?? expect.unreachable();
const hasPoppler = (() => {
  try {
    execFileSync("pdftoppm", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Each page as a greyscale picture: width, height and darkest point. */
const pagesOf = (pdf: Uint8Array) => {
  const folder = mkdtempSync(join(tmpdir(), "balcao-dossier-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "dossier.pdf");
  writeFileSync(file, pdf);
  execFileSync("pdftoppm", ["-r", "40", "-gray", file, join(folder, "page")]);
  const pictures = readdirSync(folder).filter((name) => name.endsWith(".pgm"));
  return pictures.map((name) => {
    const picture = readFileSync(join(folder, name));
    const [, width, height] = /^P5\s(\d+) (\d+)\s255\s/.exec(picture.toString("latin1")) ?? [];
    const points = picture.subarray(-Number(width) * Number(height));
    return { width, height, darkest: points.reduce((least, point) => Math.min(least, point)) };
  });
};

describe("the PDF of a defence", () => {
  test("says what the dossier says, in its own words and in those of others", async () => {
    const lines = pdfText(await printed());
    expect(lines).toContain("Defesa do MED");
    expect(lines).toContain("“Recebi o acesso ao Plano VIP, obrigado.”");
    expect(lines).toContain("R$ 249,00, taxa R$ 14,94, líquido R$ 234,06");
    expect(lines.join(" ")).not.toMatch(/O que falta|Quem comprou:|\[/);
    expect(lines.at(-1)).toMatch(/^(\d+) de \1$/);
  });

  test("is the same for the same dossier", async () => {
    expect(await print(dossier)).toEqual(await drawDossier(dossier));
  });

  test("is made in a thread that ends with it", async () => {
    const workers: Worker[] = [];
    const note = (started: unknown): void =>
      void workers.push((started as { worker: Worker }).worker);
    subscribe("worker_threads", note);
    onTestFinished(() => void unsubscribe("worker_threads", note));
    await print(dossier);
    // -1 is the id of an ended thread.
    expect(workers.map(({ threadId }) => threadId)).toEqual([-1]);
  });

  test("admits to what its fonts lack, and to nothing where they lack nothing", async () => {
    const proofs = [sampleProof({ content: { text: "Obrigado 👋 金", authorName: "Žan" } })];
    const lines = pdfText(await drawDossier(makeDossier(dossierFacts({ proofs }), "pt-BR")));
    expect(lines).toContain("“Obrigado ? ?”");
    expect(lines.join(" ")).toContain(dossier.replaced.slice(0, 40));
    expect(pdfText(await drawDossier(dossier)).join(" ")).not.toContain(
      dossier.replaced.slice(0, 40),
    );
    expect(winAnsi("Žan “ç” €")).toEqual({ text: "Žan “ç” €", whole: true });
  });

  test("has as many pages as many long proofs take, none of them written over its foot", async () => {
    const text = "W".repeat(1_000);
    const proofs = Array.from({ length: 45 }, (_, n) =>
      sampleProof({ id: `p${n}`, content: { text, authorName: "x".repeat(300) } }),
    );
    const lines = pdfText(await drawDossier(makeDossier(dossierFacts({ proofs }), "pt-BR")));
    expect(lines.filter((line) => /^Prova \d+$/.test(line))).toHaveLength(45);
    const numbers = lines.filter((line) => /^\d+ de \d+$/.test(line));
    const [, pages] = numbers[0]?.split(" de ") ?? [];
    expect(numbers.map((each) => each.split(" de ")[0])).toEqual(
      Array.from({ length: Number(pages) }, (_, n) => `${n + 1}`),
    );
  });

  test("has the longest words of a contest and of an answer on one page each, in long words of the widest letters", async () => {
    const text = `${"@".repeat(18)} `.repeat(300);
    const sale = { ...apiSale, description: text };
    const dispute = { description: text, answer: text, sale };
    const lines = pdfText(await drawDossier(makeDossier(dossierFacts({ dispute }), "pt-BR")));
    const pages = lines.join("\n").split(/^\d+ de \d+$/m);
    const labels = /^(?:O que o pagador alega|Resposta enviada|Descrição)$/gm;
    const begun = pages.map((page) => page.match(labels)?.length);
    expect(begun.filter((each) => each !== undefined)).toEqual([1, 1, 1]);
    expect(pages.map((page) => page.match(/@…$/gm)?.length)).toEqual(begun);
  });

  test("has the longest message whole, over pages, and its facts right after it", async () => {
    const text = `${"Pedido 123 entregue. ".repeat(470)}Aceito por Carla`;
    const proofs = [sampleProof({ content: { text } })];
    const lines = pdfText(await drawDossier(makeDossier(dossierFacts({ proofs }), "pt-BR")));
    const end = lines.findIndex((line) => line.endsWith("Carla”"));
    expect(lines.slice(0, end).filter((line) => /^\d+ de \d+$/.test(line))).toHaveLength(2);
    expect(lines[end + 1]).toBe("Quem escreveu");
  });

  test("has a message in its own lines, up to a number that fits on few pages, and all of its words", async () => {
    const said = Array.from({ length: 300 }, (_, n) => `Campo ${n}: ok`);
    const proofs = [sampleProof({ content: { text: said.join("\n") } })];
    const lines = pdfText(await drawDossier(makeDossier(dossierFacts({ proofs }), "pt-BR")));
    expect(lines).toEqual(expect.arrayContaining(["“Campo 0: ok", ...said.slice(1, 99)]));
    expect(lines.join(" ").replaceAll("  ", " ")).toContain(said.slice(290).join(" "));
    expect(lines.length).toBeLessThan(250);
  });

  test("fails alone, and the log says where: the one after it is printed", async () => {
    const broken = { ...dossier, sections: undefined } as never;
    expect(await Promise.all([print(broken), print(dossier)])).toEqual([
      undefined,
      expect.any(Uint8Array),
    ]);
    expect(lines.join("")).toContain("a dossier could not be printed");
    expect(lines.join("")).not.toContain("Plano VIP");
  });

  test("is drawn of whatever strangers write, on its own page alone", async () => {
    const runs = fc.asyncProperty(hostileText, async (text) => {
      const given = { dispute: hostileDispute(text), state: "other" as const };
      const proofs = [sampleProof({ txid: text, content: { text, authorName: text } })];
      const made = makeDossier(dossierFacts({ detail: detailFacts(given), proofs }), "en-US");
      const lines = pdfText(await drawDossier(made));
      expect(lines).toContain("Defence against a MED (PIX dispute)");
      // eslint-disable-next-line no-control-regex -- these are what must not be there
      expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f]/);
    });
    await fc.assert(runs, { numRuns: 100 });
  });

  test.skipIf(!hasPoppler)("opens in a reader, with something on each A4 page", async () => {
    const proofs = [sampleProof(), sampleProof({ content: { text: "Olá ".repeat(400) } })];
    const pages = pagesOf(await drawDossier(makeDossier(dossierFacts({ proofs }), "pt-BR")));
    expect(pages.length).toBeGreaterThan(1);
    for (const { width, height, darkest } of pages) {
      expect([width, height]).toEqual(["331", "468"]);
      expect(darkest).toBeLessThan(120);
    }
  });

  test.runIf(hasPoppler && process.env["UPDATE_SCREENSHOT"] === "1")("is pictured", async () => {
    const folder = mkdtempSync(join(tmpdir(), "balcao-dossier-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "dossier.pdf");
    writeFileSync(file, await printed());
    const picture = join("docs", "defesa");
    execFileSync("pdftoppm", ["-r", "80", "-png", "-l", "1", "-singlefile", file, picture]);
  });
});

const drawn = async (text: string): Promise<Uint8Array> => {
  const detail = detailFacts({
    dispute: { ...hostileDispute(text), infractionId: text },
    state: "other",
  });
  const proofs = [
    sampleProof({ txid: text, content: { text, authorName: text, attachments: [text] } }),
  ];
  return await drawDossier(
    makeDossier({ detail, proofs, unreadable: 0, answerUrl: undefined }, "pt-BR"),
  );
};

/** Extracted by pdftotext; without it, the drawn lines. */
const readBack = (pdf: Uint8Array): string => {
  try {
    return execFileSync("pdftotext", ["-layout", "-", "-"], { input: pdf }).toString("utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return pdfText(pdf).join("\n");
    throw error;
  }
};

const entriesOf = (pdf: Uint8Array): readonly string[] => [
  ...new Set(
    Buffer.from(pdf)
      .toString("latin1")
      .match(/\/(Annots?|URI|JS|JavaScript|Launch|OpenAction|AA|EmbeddedFile)\b/g),
  ),
];

test.each(Object.entries(HOSTILE_SAMPLES))(
  "%s is words on a page: nothing to click, to run or to read backwards",
  async (_what, sample) => {
    const hostile = await drawn(sample);
    expect(entriesOf(hostile)).toEqual([]);
    const text = readBack(hostile);
    expect(text).toContain("Defesa do MED");
    expect(text).toContain("zqx");
    expect(text.replace(/[\n\f]/g, "")).not.toMatch(
      /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u,
    );
  },
);

const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

/** A drawing whose compressed form ends with that byte, and its text. */
const drawnEndingWith = (byte: number): readonly [drawn: Uint8Array, text: string] => {
  for (let n = 0; n < 10_000; n += 1) {
    const text = `line ${n}`;
    const drawn = deflateSync(`[<${Buffer.from(text).toString("hex")}>] TJ`);
    if (drawn.at(-1) === byte) return [drawn, text];
  }
  throw new Error("None of them ends so");
};

/** One drawing in 256 ends in this way, so a random test would fail rarely. */
test.each([
  ["a carriage return", CARRIAGE_RETURN],
  ["a line feed", LINE_FEED],
])("a drawing whose last byte is %s is read like any other", (_what, byte) => {
  const [drawn, text] = drawnEndingWith(byte);
  const pdf = Buffer.concat([Buffer.from("stream\n"), drawn, Buffer.from("\nendstream\n")]);
  expect(pdfText(pdf)).toEqual([text]);
});
