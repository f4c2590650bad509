import type { Dossier, DossierBlock, DossierFact } from "./dossier.ts";

const factLines = (facts: readonly DossierFact[]): readonly string[] =>
  facts.map(([name, value]) => `${name}: ${value}`);

const linesOf = (block: DossierBlock): readonly string[] => {
  if (block.kind === "facts") return factLines(block.facts);
  if (block.kind === "text") return [block.text];
  const facts = factLines(block.facts).map((each) => `  ${each}`);
  return [block.heading, `  > ${block.quote}`, ...facts, ""];
};

/** A dossier as a text file, with every character that the PDF's fonts may lack. */
export const dossierText = ({
  title,
  subtitle,
  sections,
}: Pick<Dossier, "title" | "subtitle" | "sections">): string =>
  [
    title,
    subtitle,
    ...sections.flatMap(({ heading, blocks }) => [
      "",
      heading.toUpperCase(),
      "",
      ...blocks.flatMap(linesOf),
    ]),
    "",
  ].join("\r\n");
