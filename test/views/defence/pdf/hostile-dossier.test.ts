import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { makeDossier } from "#src/views/defence/dossier-make.ts";
import { drawDossier } from "#src/views/defence/pdf/draw-dossier.ts";
import { pdfText } from "../../../support/pdf-text.ts";
import { detailFacts, hostileDispute } from "../../disputes/dispute-samples.ts";
import { sampleProof } from "../dossier-samples.ts";
import { HOSTILE_SAMPLES } from "../../hostile-samples.ts";

const drawn = async (text: string): Promise<Uint8Array> => {
  const detail = detailFacts({
    dispute: { ...hostileDispute(text), infractionId: text },
    state: "other",
  });
  const proofs = [sampleProof({ txid: text, content: { text, authorName: text, links: [text] } })];
  return await drawDossier(makeDossier({ detail, proofs, answerUrl: undefined }, "pt-BR"));
};

/** As a reader's own program takes the text out; without one, the lines as they were drawn. */
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
    const [hostile, plain] = [await drawn(sample), await drawn("x")];
    expect(entriesOf(hostile)).toEqual(entriesOf(plain));
    expect(entriesOf(hostile)).toEqual([]);
    const text = readBack(hostile);
    expect(text).toContain("Defesa do MED");
    expect(text).toContain("zqx");
    expect(text.replace(/[\n\f]/g, "")).not.toMatch(
      /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}`]/u,
    );
  },
);
