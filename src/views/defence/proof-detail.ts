import type { APIEmbedField } from "discord-api-types/v10";
import type { KeptProof, Proof } from "../../domain/proof.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import { buttonRow } from "../components.ts";
import { line } from "../embed.ts";
import { messageLink } from "../message-link.ts";
import { proofIds } from "./proof-ids.ts";
import { reply, type Reply } from "../reply.ts";
import { safe } from "../safe.ts";
import { fullAndRelative } from "../timestamp.ts";

const CODE_LENGTH = 100;
const NAME_LENGTH = 80;
/** A field's limit counts UTF-16 units, of which a code point takes up to two. */
const TEXT_LENGTH = 500;
const LINK_LENGTH = 200;
const LINKS_SHOWN = 4;

const linksInWords = ({ content: { links } }: Proof, { proofs }: Texts): string => {
  if (links.length === 0) return proofs.noLinks;
  const more = links.length - LINKS_SHOWN;
  return [
    ...links.slice(0, LINKS_SHOWN).map((link) => safe(link, LINK_LENGTH)),
    ...(more > 0 ? [proofs.moreLinks(more)] : []),
  ].join("\n");
};

const fieldsOf = (proof: Proof, texts: Texts): readonly APIEmbedField[] => {
  const { proofs } = texts;
  const { content, txid, keptAt } = proof;
  const author = proofs.authorText(
    safe(content.authorName, NAME_LENGTH),
    safe(content.authorId, CODE_LENGTH),
  );
  const text = content.text.trim() === "" ? proofs.noText : safe(content.text, TEXT_LENGTH);
  return [
    line(proofs.sale, safe(txid, CODE_LENGTH)),
    line(proofs.author, author),
    line(proofs.text, text),
    line(proofs.links, linksInWords(proof, texts)),
    line(proofs.writtenAt, fullAndRelative(content.writtenAt)),
    ...(content.editedAt === undefined
      ? []
      : [line(proofs.editedAt, fullAndRelative(content.editedAt))]),
    line(proofs.keptAt, fullAndRelative(keptAt)),
    line(proofs.message, messageLink(proof)),
    line(proofs.sha256, safe(content.sha256, CODE_LENGTH)),
  ];
};

/** One proof in full, with the button that deletes it. */
export const proofDetailView = (proof: Proof, locale: Locale): Reply => {
  const texts = textsFor(locale);
  const { proofs } = texts;
  return reply(
    { title: proofs.detailTitle, fields: fieldsOf(proof, texts) },
    buttonRow(
      { id: proofIds.page(0), label: proofs.back, style: "secondary" },
      { id: proofIds.remove(proof.id), label: proofs.remove, style: "danger" },
    ),
  );
};

/** What was just kept, or that it already was. */
export const proofKeptView = ({ proof, isNew }: KeptProof, locale: Locale): Reply => {
  const texts = textsFor(locale);
  const { proofs } = texts;
  const links = proof.content.links.length > 0 ? [proofs.keptLinks] : [];
  return reply(
    {
      title: isNew ? proofs.keptTitle : proofs.keptBeforeTitle,
      description: [isNew ? proofs.keptText : proofs.keptBeforeText, ...links].join("\n\n"),
      fields: fieldsOf(proof, texts),
    },
    buttonRow({ id: proofIds.page(0), label: proofs.back, style: "secondary" }),
  );
};
