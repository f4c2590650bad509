import { describe, expect, test } from "vitest";
import type { Locale } from "#src/shared/locale.ts";
import { disputeCalendar } from "#src/disputes/dispute-calendar.view.ts";
import { dossierText, makeDossier, proofsFileReply } from "#src/defence/dossier.view.ts";
import { NOW } from "../support/samples.ts";
import { dossierReply } from "#src/defence/dossier-reply.view.ts";
import { sentName } from "#src/discord/message-body.ts";
import { detailFacts, hostileDispute } from "../disputes/dispute-samples.ts";
import { sampleProof } from "../defence/dossier-samples.ts";
import { HOSTILE_SAMPLES, UNSEEN } from "./hostile-samples.ts";

const samples = Object.entries(HOSTILE_SAMPLES);
const locales: readonly Locale[] = ["pt-BR", "en-US"];
const proofOf = (text: string) =>
  sampleProof({ txid: text, content: { text, authorName: text, links: [text, text] } });
const disputeOf = (text: string) => ({ ...hostileDispute(text), infractionId: text });
const factsOf = (text: string) => ({
  detail: detailFacts({ dispute: disputeOf(text), state: "other" }),
  proofs: [proofOf(text), proofOf(text)],
  answerUrl: undefined,
});
const outsideCode = (value: unknown): string => JSON.stringify(value).replace(/`[^`]*`/g, "`code`");

describe.each(samples)("%s", (_what, sample) => {
  test("stays in the one code block of the draft, and out of the names of its files", () => {
    for (const locale of locales) {
      const facts = factsOf(sample);
      const {
        content = "",
        embeds,
        files = [],
      } = dossierReply(facts, makeDossier(facts, locale), new Uint8Array(4), locale);
      const [before, block, after, ...more] = content.split("```");
      expect([before, after, more]).toEqual([expect.not.stringContaining("zqx"), "", []]);
      expect(block).not.toContain("`");
      expect(block?.replaceAll("\n", "")).not.toMatch(UNSEEN);
      expect(outsideCode(embeds)).not.toContain("zqx");
      for (const file of files) expect(sentName(file)).toMatch(/^[\w-]+\.(pdf|txt)$/);
    }
  });

  test("is words on its own line of the text file", () => {
    for (const locale of locales) {
      const linesOf = (text: string) =>
        dossierText(makeDossier(factsOf(text), locale)).split("\r\n");
      expect(linesOf(sample)).toHaveLength(linesOf("x").length);
      expect(linesOf(sample).join("")).not.toMatch(UNSEEN);
      expect(linesOf(sample).join("")).not.toMatch(/[`\n\r]/);
    }
  });

  test("is words on its own line of the file of proofs", () => {
    for (const locale of locales) {
      const linesOf = (text: string) => {
        const { files = [] } = proofsFileReply([proofOf(text)], NOW, locale);
        const written = files.map(({ data }) =>
          new TextDecoder("utf-8", { fatal: true }).decode(data),
        );
        return written.join("").split("\r\n");
      };
      expect(linesOf(sample)).toHaveLength(linesOf("x").length);
      expect(linesOf(sample).join("")).toContain("zqx");
      expect(linesOf(sample).join("")).not.toMatch(UNSEEN);
      expect(linesOf(sample).join("")).not.toMatch(/[`\n\r]/);
    }
  });

  test("is words in the calendar, its id and its name too", async () => {
    const shapeOf = (file: string) =>
      file
        .replaceAll("\r\n ", "")
        .split("\r\n")
        .map((line) => (/^(BEGIN|END):/.test(line) ? line : line.replace(/[:;].*$/s, "")));
    for (const locale of locales) {
      const made = async (text: string) => {
        const detail = detailFacts({ dispute: disputeOf(text), state: "other" });
        const { name, data } = await disputeCalendar(detail, locale);
        return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(data) };
      };
      const [hostile, plain] = [await made(sample), await made("x")];
      expect(shapeOf(hostile.text)).toEqual(shapeOf(plain.text));
      expect(hostile.text.replaceAll("\r\n", "")).not.toMatch(UNSEEN);
      expect(hostile.name).toMatch(/^med-[\w-]+\.ics$/);
    }
  });
});
