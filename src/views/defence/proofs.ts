import type { APIEmbedField } from "discord-api-types/v10";
import { inBrasilia } from "../../domain/brasilia.ts";
import type { Proof } from "../../domain/proof.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import { buttonRow, type ButtonParts, selectRow } from "../components.ts";
import { line } from "../embed.ts";
import { cut, limits } from "../limits.ts";
import { plainLine } from "../plain-line.ts";
import { proofIds, TXID_FIELD } from "./proof-ids.ts";
import { modal, type Modal, reply, type Reply } from "../reply.ts";
import { safe } from "../safe.ts";
import { fullTime } from "../timestamp.ts";

const CODE_LENGTH = 100;
const NAME_LENGTH = 40;
const GLIMPSE_LENGTH = 120;

/** The page of a list that was asked for. */
interface ProofListFacts {
  readonly proofs: readonly Proof[];
  readonly page: number;
  readonly pages: number;
  readonly found: number;
  /** Told when one was just deleted. */
  readonly removed: boolean;
}

/** The form that asks which sale a message is a proof of. */
export const proofModal = (pendingId: string, locale: Locale): Modal => {
  const { proofs } = textsFor(locale);
  return modal({
    customId: proofIds.tie(pendingId),
    title: proofs.modalTitle,
    fields: [
      {
        id: TXID_FIELD,
        label: proofs.modalLabel,
        placeholder: proofs.modalPlaceholder,
        style: "short",
        minLength: 3,
        maxLength: CODE_LENGTH,
        required: true,
      },
    ],
  });
};

const glimpse = ({ content }: Proof, { proofs }: Texts): string =>
  content.text.trim() === "" ? proofs.noText : safe(content.text, GLIMPSE_LENGTH);

const rowOf = (proof: Proof, texts: Texts): APIEmbedField => {
  const { content, txid, keptAt } = proof;
  const who = `${safe(content.authorName, NAME_LENGTH)} · ${fullTime(content.writtenAt)}`;
  const sale = `${texts.proofs.sale}: ${safe(txid, CODE_LENGTH)}`;
  return line(
    `${texts.proofs.keptAt} ${texts.format.date(inBrasilia(keptAt).toPlainDate())}`,
    [sale, who, glimpse(proof, texts)].join("\n"),
  );
};

/** Told apart by when it was written and by its sale: a menu is no place for a name that a stranger chose. */
const choiceOf = ({ id, txid, content }: Proof, { format }: Texts) => {
  const written = format.moment(inBrasilia(content.writtenAt));
  const label = cut(`${written} · ${plainLine(txid, CODE_LENGTH)}`, limits.optionText);
  return { value: id, label, chosen: false };
};

/** One page of a person's proofs, or how to keep the first. */
export const proofListView = (facts: ProofListFacts, locale: Locale): Reply => {
  const texts = textsFor(locale);
  const { proofs } = texts;
  const { page, pages, found } = facts;
  const description = [
    ...(facts.removed ? [proofs.removed] : []),
    found === 0 ? `${proofs.none}\n\n${proofs.how}` : proofs.count(found),
    ...(pages > 1 ? [proofs.page(page + 1, pages)] : []),
  ].join("\n\n");
  const turns: readonly ButtonParts[] = [
    { wanted: page - 1, label: proofs.previous },
    { wanted: page + 1, label: proofs.next },
  ].flatMap(({ wanted, label }) =>
    wanted < 0 || wanted >= pages
      ? []
      : [{ id: proofIds.page(wanted), label, style: "secondary" as const }],
  );
  const options = facts.proofs.map((proof) => choiceOf(proof, texts));
  return reply(
    {
      title: proofs.title,
      description,
      fields: facts.proofs.map((proof) => rowOf(proof, texts)),
    },
    ...(options.length === 0
      ? []
      : [selectRow({ id: proofIds.open, placeholder: proofs.openPlaceholder, options })]),
    ...(turns.length === 0 ? [] : [buttonRow(...turns)]),
  );
};
