import type { APIEmbedField } from "discord-api-types/v10";
import type { DeliveryPayload } from "../../delivery/delivery.ts";
import type { RestoredFacts } from "../withdraw-facts.ts";
import type { HoldQuestion } from "./restore-hold.ts";
import { type WithdrawalTexts, withdrawalTexts } from "../texts.ts";
import type { Locale } from "../../shared/locale.ts";
import { buttonRow, post, reply, type Reply, type Row } from "../../ui/reply.ts";
import { firstLines, line } from "../../ui/embed.ts";
import { toServer } from "../../ui/format.ts";
import { withdrawalIds } from "../withdraw-buttons.view.ts";
import { listedLine } from "../withdrawal-fields.view.ts";

type Question = Omit<HoldQuestion, "cause">;

const MOST_LISTED = 8;

export const questionFields = (
  { withdrawals }: Question,
  texts: WithdrawalTexts,
): readonly APIEmbedField[] => {
  if (withdrawals.length === 0) return [];
  const lines = withdrawals.map((listed) => listedLine(listed, texts));
  return [line(texts.restored.listed, firstLines(lines, texts.restored.more, MOST_LISTED))];
};

/** The button with which the owner confirms the check. */
export const questionRow = ({ why, answerId }: Question, { restored }: WithdrawalTexts): Row =>
  buttonRow({
    id: withdrawalIds.acknowledge(answerId),
    label: why === "newer" ? restored.checkedList : restored.checkedPanel,
    style: "primary",
  });

/** The question inside another view: says that withdrawals wait, and why. */
export const questionBeside = (
  question: Question | undefined,
  texts: WithdrawalTexts,
): { readonly fields: readonly APIEmbedField[]; readonly rows: readonly Row[] } => {
  if (question === undefined) return { fields: [], rows: [] };
  const { next } = texts.restored.questions[question.why];
  return {
    fields: [line(texts.restored.first, next), ...questionFields(question, texts)],
    rows: [questionRow(question, texts)],
  };
};

/** To each owner of an account, once after a database restore. */
export const restoredNotice = (facts: RestoredFacts): DeliveryPayload => {
  const { question, guildId, reference } = facts;
  const texts = withdrawalTexts(facts.locale);
  const { restored } = texts;
  const { next } = restored.questions[question.why];
  const guards = question.cause === "restored" ? [restored.guardsToo] : [];
  return post(
    {
      tone: "warning",
      sentence: restored.noticeAlone,
      title: restored.noticeTitle,
      description: [next, ...guards, ...toServer(guildId, texts)].join("\n\n"),
      fields: questionFields(question, texts),
      reference,
    },
    questionRow(question, texts),
  );
};

export const restoreAcknowledgedView = (locale: Locale): Reply => {
  const { restored } = withdrawalTexts(locale);
  return reply({ title: restored.done, description: restored.doneText });
};
