import type { Locale } from "../../texts/locale.ts";
import { textsFor } from "../../texts/texts.ts";
import { modal, type Modal, type ModalField } from "../reply.ts";
import { guardIds } from "./withdrawal-ids.ts";

/** Field ids, fixed by the outside contract. */
export const guardFields = { pin: "pin", current: "atual", cap: "limite" } as const;

const SHORTEST_PIN = 4;
const LONGEST_PIN = 8;
const LONGEST_AMOUNT = 30;

const pinField = (
  id: string,
  label: string,
  required: boolean,
  placeholder?: string,
): ModalField => ({
  id,
  label,
  ...(placeholder !== undefined && { placeholder }),
  style: "short",
  minLength: SHORTEST_PIN,
  maxLength: LONGEST_PIN,
  required,
});

/** Asks for a new PIN, and for the current one where there is one. */
export const pinForm = (ownerId: string, hasOne: boolean, locale: Locale): Modal => {
  const { guards } = textsFor(locale);
  const current = pinField(guardFields.current, guards.currentPin, true);
  return modal({
    customId: guardIds.savePin(ownerId),
    title: hasOne ? guards.changePinTitle : guards.createPinTitle,
    fields: [
      ...(hasOne ? [current] : []),
      pinField(guardFields.pin, guards.newPin, true, guards.newPinHint),
    ],
  });
};

/** Asks for the PIN that goes away; left empty by who forgot it. */
export const pinRemovalForm = (ownerId: string, locale: Locale): Modal => {
  const { guards } = textsFor(locale);
  const { removePinLabel, removePinHint } = guards;
  return modal({
    customId: guardIds.dropPin(ownerId),
    title: guards.removePinTitle,
    fields: [pinField(guardFields.current, removePinLabel, false, removePinHint)],
  });
};

/** Asks for the limit of 24 hours; left empty by who wants none. */
export const capForm = (ownerId: string, locale: Locale): Modal => {
  const { guards } = textsFor(locale);
  return modal({
    customId: guardIds.saveCap(ownerId),
    title: guards.capTitle,
    fields: [
      {
        id: guardFields.cap,
        label: guards.capLabel,
        placeholder: guards.capHint,
        style: "short",
        maxLength: LONGEST_AMOUNT,
        required: false,
      },
    ],
  });
};
