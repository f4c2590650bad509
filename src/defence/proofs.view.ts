import type { APIEmbedField } from "discord-api-types/v10";
import { inBrasilia } from "../shared/local-time.ts";
import type { KeptProofs, Proof, TiedProof } from "./proof.ts";
import { isPlainId } from "../shared/ids.ts";
import type { Locale } from "../shared/locale.ts";
import type { Page } from "../shared/page.ts";
import { type DefenceTexts, defenceTexts } from "./texts.ts";
import {
  buttonRow,
  buttonRows,
  customIdOf,
  modal,
  type Modal,
  pageButtons,
  reply,
  type Reply,
  selectRow,
} from "../ui/reply.ts";
import { limits, line } from "../ui/embed.ts";
import {
  CODE_LENGTH,
  fullAndRelative,
  fullTime,
  messageLink,
  NAME_LENGTH,
  plainLine,
  quotedInMenu,
  safe,
  STORY_LENGTH,
  together,
} from "../ui/format.ts";

const LISTED_NAME_LENGTH = 40;
const GLIMPSE_LENGTH = 120;
const NAME_IN_MENU = 20;
const WORDS_IN_MENU = 40;

/** A page of proofs, newest first. */
export interface ProofListFacts extends Page<Proof>, Pick<KeptProofs, "unreadable"> {
  /** The sale to which the list is narrowed. */
  readonly txid?: string | undefined;
  /** Whether a proof was just deleted. */
  readonly removed: boolean;
}

/** A sale in the form's menu: the value is its txid. */
interface SaleChoice {
  readonly name: string;
  readonly value: string;
  /** Tells equal sales apart. */
  readonly description?: string | undefined;
}

export interface SaleChoices {
  /** Sales that await the seller's defence. */
  readonly disputed: readonly SaleChoice[];
  /** Paid, newest first. */
  readonly recent: readonly SaleChoice[];
  /** Txid that the person chose beforehand, which the menu has selected. */
  readonly chosen: string | undefined;
}

/** Room for recent sales after the disputed ones. */
const MOST_DISPUTED = 10;

/** Each sale once, a disputed one first; the chosen sale is always among them. */
const saleOptions = ({ disputed, recent, chosen }: SaleChoices) => {
  const all = [...disputed.slice(0, MOST_DISPUTED), ...recent];
  const first = all.find(({ value }) => value === chosen);
  const own = chosen === undefined ? [] : [first ?? { name: chosen, value: chosen }];
  const byTxid = new Map<string, SaleChoice>();
  for (const each of [...own, ...all]) if (!byTxid.has(each.value)) byTxid.set(each.value, each);
  return [...byTxid.values()]
    .slice(0, limits.selectOptions)
    .map(({ name, ...each }) => ({ ...each, label: name, chosen: each.value === chosen }));
};

/** The form that asks for the sale that a message proves: chosen from a menu, or its pasted txid. */
export const proofModal = (pendingId: string, choices: SaleChoices, locale: Locale): Modal => {
  const { proofs } = defenceTexts(locale);
  const options = saleOptions(choices);
  const hasMenu = options.length > 0;
  return modal({
    customId: proofIds.tie(pendingId),
    title: proofs.modalTitle,
    fields: [
      ...(hasMenu
        ? [
            {
              id: SALE_FIELD,
              label: proofs.modalMenu,
              placeholder: proofs.modalMenuPlaceholder,
              required: false,
              options,
            },
          ]
        : []),
      {
        id: TXID_FIELD,
        label: hasMenu ? proofs.modalOther : proofs.modalLabel,
        placeholder: proofs.modalPlaceholder,
        minLength: 3,
        maxLength: CODE_LENGTH,
        required: !hasMenu,
      },
    ],
  });
};

const glimpse = ({ content }: Proof, { proofs }: DefenceTexts): string =>
  content.text.trim() === "" ? proofs.noText : safe(content.text, GLIMPSE_LENGTH);

const rowOf = (proof: Proof, texts: DefenceTexts): APIEmbedField => {
  const { content, txid, keptAt } = proof;
  const who = `${safe(content.authorName, LISTED_NAME_LENGTH)} · ${fullTime(content.writtenAt)}`;
  const sale = `${texts.proofs.sale}: ${safe(txid, CODE_LENGTH)}`;
  return line(
    `${texts.proofs.keptAt} ${texts.format.date(inBrasilia(keptAt).toPlainDate())}`,
    [sale, who, glimpse(proof, texts)].join("\n"),
  );
};

/** Labelled by time, author and first words, with the sale in the smaller line. */
const choiceOf = ({ id, txid, content }: Proof, { format }: DefenceTexts) => {
  const label = together(
    format.dayAndHour(inBrasilia(content.writtenAt)),
    quotedInMenu(content.authorName, NAME_IN_MENU),
    quotedInMenu(content.text, WORDS_IN_MENU),
  );
  return { value: id, label, description: plainLine(txid, CODE_LENGTH), chosen: false };
};

/** One page of a person's proofs, or instructions for the first. */
export const proofListView = (facts: ProofListFacts, locale: Locale): Reply => {
  const texts = defenceTexts(locale);
  const { proofs } = texts;
  const { page, pages, found, txid, unreadable } = facts;
  const none = txid === undefined ? proofs.none : proofs.noneOfSale;
  const description = [
    ...(facts.removed ? [proofs.removed] : []),
    ...(unreadable > 0 ? [proofs.unreadable(unreadable)] : []),
    ...(found > 0 ? [proofs.count(found)] : unreadable > 0 ? [] : [none, proofs.how]),
    ...(pages > 1 ? [proofs.page(page + 1, pages)] : []),
    ...filesNote(facts.rows, texts),
  ].join("\n\n");
  const turns = pageButtons(page, pages, (to) => proofIds.page(to, txid), proofs);
  const options = facts.rows.map((proof) => choiceOf(proof, texts));
  return reply(
    {
      title: proofs.title,
      description,
      fields: facts.rows.map((proof) => rowOf(proof, texts)),
    },
    ...(options.length === 0
      ? []
      : [selectRow({ id: proofIds.open, placeholder: proofs.openPlaceholder, options })]),
    ...buttonRows(turns),
  );
};

const FILE_NAME_LENGTH = 200;
const ATTACHMENTS_SHOWN = 4;

const attachmentsInWords = (
  { content: { attachments } }: Proof,
  { proofs }: DefenceTexts,
): string => {
  if (attachments.length === 0) return proofs.noAttachments;
  const more = attachments.length - ATTACHMENTS_SHOWN;
  return [
    ...attachments.slice(0, ATTACHMENTS_SHOWN).map((name) => safe(name, FILE_NAME_LENGTH)),
    ...(more > 0 ? [proofs.moreAttachments(more)] : []),
  ].join("\n");
};

/** Advice about the files, which are not kept; empty without a file. */
const filesNote = (shown: readonly Proof[], { proofs }: DefenceTexts): readonly string[] =>
  shown.some(({ content }) => content.attachments.length > 0) ? [proofs.filesNotKept] : [];

const fieldsOf = (proof: Proof, texts: DefenceTexts): readonly APIEmbedField[] => {
  const { proofs } = texts;
  const { content, txid, keptAt } = proof;
  const author = proofs.authorText(
    safe(content.authorName, NAME_LENGTH),
    safe(content.authorId, CODE_LENGTH),
  );
  const said = content.forwarded ? proofs.forwarded : proofs.written;
  const text = content.text.trim() === "" ? proofs.noText : safe(content.text, STORY_LENGTH);
  return [
    line(proofs.sale, safe(txid, CODE_LENGTH)),
    line(said.author, author),
    line(proofs.text, text),
    line(proofs.attachments, attachmentsInWords(proof, texts)),
    line(said.at, fullAndRelative(content.writtenAt)),
    ...(content.editedAt === undefined
      ? []
      : [line(proofs.editedAt, fullAndRelative(content.editedAt))]),
    line(proofs.keptAt, fullAndRelative(keptAt)),
    line(proofs.message, messageLink(proof)),
    line(proofs.sha256, safe(content.sha256, CODE_LENGTH)),
  ];
};

/** One proof in full, with the button that asks whether to delete it. */
export const proofDetailView = (proof: Proof, locale: Locale): Reply => {
  const texts = defenceTexts(locale);
  const { proofs } = texts;
  return reply(
    {
      title: proofs.detailTitle,
      description: filesNote([proof], texts).join(""),
      fields: fieldsOf(proof, texts),
    },
    buttonRow(
      { id: proofIds.page(0), label: proofs.back, style: "secondary" },
      { id: proofIds.askRemoval(proof.id), label: proofs.remove, style: "danger" },
    ),
  );
};

/** A second tap at the place of the first one keeps the proof. */
export const proofRemovalView = (proof: Proof, locale: Locale): Reply => {
  const texts = defenceTexts(locale);
  const { proofs } = texts;
  return reply(
    {
      tone: "warning",
      title: proofs.removeTitle,
      description: proofs.removeText,
      fields: fieldsOf(proof, texts),
    },
    buttonRow({ id: proofIds.page(0), label: proofs.keep, style: "secondary" }),
    buttonRow({ id: proofIds.remove(proof.id), label: proofs.removeForGood, style: "danger" }),
  );
};

/** Confirms that a proof was kept, now or before. `dispute`: the open MED about its sale, in words. */
export const proofKeptView = (
  { proof, isNew, isSaleMissing }: TiedProof,
  locale: Locale,
  dispute?: string,
): Reply => {
  const texts = defenceTexts(locale);
  const { proofs } = texts;
  return reply(
    {
      title: isNew ? proofs.keptTitle : proofs.keptBeforeTitle,
      description: [
        isNew ? proofs.keptText : proofs.keptBeforeText,
        ...(isSaleMissing ? [proofs.saleMissing] : isNew ? [proofs.keptFor] : []),
        ...filesNote([proof], texts),
      ].join("\n\n"),
      fields: [
        dispute === undefined
          ? line(proofs.sale, safe(proof.txid, CODE_LENGTH))
          : line(proofs.proves, safe(dispute, CODE_LENGTH)),
        line(proofs.text, glimpse(proof, texts)),
        line(proofs.message, messageLink(proof)),
      ],
    },
    buttonRow({ id: proofIds.page(0), label: proofs.back, style: "secondary" }),
  );
};

/** Custom ids in the form of `discord/command.ts`; `commands/provas.ts` handles them. */
const proofIds = {
  tie: customIdOf("provas", "guardar"),
  /** The id of a narrowed list carries its sale. */
  page: (page: number, txid?: string): string => {
    const sale = txid !== undefined && isPlainId(txid) ? `.${txid}` : "";
    return customIdOf("provas", "pagina")(`${page}${sale}`);
  },
  /** A menu; the values are ids of the person's own proofs. */
  open: customIdOf("provas", "abrir")(""),
  askRemoval: customIdOf("provas", "perguntar"),
  remove: customIdOf("provas", "apagar"),
} as const;

/** Field of the form that ties a proof to its sale; fixed by the outside contract. */
export const TXID_FIELD = "txid";

/** Menu of the same form. */
export const SALE_FIELD = "venda";
