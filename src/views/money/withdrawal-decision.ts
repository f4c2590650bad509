import type { Locale } from "../../texts/locale.ts";
import { textsFor } from "../../texts/texts.ts";
import { modal, type Modal } from "../reply.ts";
import { withdrawalIds } from "./withdrawal-ids.ts";

/** Field id, fixed by the outside contract. */
export const CODE_FIELD = "codigo";
const LONGEST_CODE = 20;

/** Asks for the operation's code before a person's word on it is taken. */
export const decisionModal = (opId: string, happened: boolean, locale: Locale): Modal => {
  const { withdrawals } = textsFor(locale);
  const submit = happened ? withdrawalIds.decidedHappened : withdrawalIds.decidedDidNotHappen;
  return modal({
    customId: submit(opId),
    title: happened ? withdrawals.happenedTitle : withdrawals.didNotHappenTitle,
    fields: [
      {
        id: CODE_FIELD,
        label: withdrawals.typeCode(opId),
        placeholder: happened ? withdrawals.happenedHint : withdrawals.didNotHappenHint,
        style: "short",
        maxLength: LONGEST_CODE,
        required: true,
      },
    ],
  });
};
