import { LONGEST_AMOUNT } from "../shared/money.ts";
import type { MoneyGuards } from "./money-guards.ts";
import type { Locale } from "../shared/locale.ts";
import { type GuardTexts, guardTexts } from "./texts.ts";
import {
  type ButtonParts,
  buttonRow,
  buttonRows,
  customIdOf,
  modal,
  type Modal,
  type ModalField,
  offeredButtons,
  post,
  reply,
  type Reply,
  type Row,
  selectRow,
  type Suggestion,
} from "../ui/reply.ts";
import { cut, firstLines, limits, line } from "../ui/embed.ts";
import { fullAndRelative, safe, toServer } from "../ui/format.ts";
import type { DeliveryPayload } from "../delivery/delivery.ts";
import type { GuardFacts } from "../withdrawals/withdraw-facts.ts";

const MOST_KEYS = 8;
const KEY_LENGTH = 80;
/** A menu shows text unescaped, so other characters could pass for our own words. */
const PLAIN = /^[\p{L}\p{N}*@.+\-/() ·]+$/u;

export interface GuardsFacts {
  /** Guards in force now. */
  readonly guards: MoneyGuards;
  readonly savedKeys: readonly Suggestion[];
  readonly locale: Locale;
}

const lockInWords = ({ lockedAt, unlockAt }: MoneyGuards, { guards }: GuardTexts): string => {
  if (lockedAt === undefined) return guards.lockOff;
  const since = guards.lockOn(fullAndRelative(lockedAt));
  return unlockAt === undefined ? since : `${since}\n${guards.unlockAt(fullAndRelative(unlockAt))}`;
};

const pinInWords = ({ pin }: MoneyGuards, { guards }: GuardTexts): string => {
  if (pin === undefined) return guards.pinOff;
  const { lockedUntil, endsAt } = pin;
  return [
    guards.pinOn,
    ...(lockedUntil === undefined ? [] : [guards.pinLocked(fullAndRelative(lockedUntil))]),
    ...(endsAt === undefined ? [] : [guards.pinEnds(fullAndRelative(endsAt))]),
  ].join("\n");
};

const capInWords = (
  { dailyCap, pendingCap }: MoneyGuards,
  { guards, format }: GuardTexts,
): string => {
  const now = dailyCap === undefined ? guards.capOff : guards.capOn(format.reais(dailyCap));
  if (pendingCap === undefined) return now;
  const from = fullAndRelative(pendingCap.from);
  const then =
    pendingCap.cap === undefined
      ? guards.capEnds(from)
      : guards.capFrom(format.reais(pendingCap.cap), from);
  return `${now}\n${then}`;
};

const waitInWords = (
  { newKeyWait, newKeyWaitEndsAt }: MoneyGuards,
  { guards }: GuardTexts,
): string => {
  if (!newKeyWait) return guards.waitOff;
  return newKeyWaitEndsAt === undefined
    ? guards.waitOn
    : `${guards.waitOn}\n${guards.waitEnds(fullAndRelative(newKeyWaitEndsAt))}`;
};

const keysInWords = (keys: readonly Suggestion[], { guards }: GuardTexts): string => {
  if (keys.length === 0) return guards.noKeys;
  const names = keys.map(({ name }) => safe(name, KEY_LENGTH));
  const more = keys.length > limits.selectOptions ? guards.moreKeysThanMenu : guards.moreKeys;
  return firstLines(names, more, MOST_KEYS);
};

const button = (
  id: string,
  label: string,
  style: ButtonParts["style"] = "secondary",
): ButtonParts => ({ id, label, style });

const pinButtons = (
  { pin, ownerId }: MoneyGuards,
  { guards }: GuardTexts,
): readonly ButtonParts[] =>
  pin === undefined
    ? [button(guardIds.createPin(ownerId), guards.createPin)]
    : [
        button(guardIds.changePin(ownerId), guards.changePin),
        pin.endsAt === undefined
          ? button(guardIds.removePin(ownerId), guards.removePin)
          : button(guardIds.keepPin(ownerId), guards.keepPin),
      ];

/** Rows of controls. A second tap in the place of a used one changes no guard: at most it opens a form. */
const guardRows = (set: MoneyGuards, texts: GuardTexts): readonly Row[] => {
  const { guards } = texts;
  const { ownerId, lockedAt, unlockAt, newKeyWait, newKeyWaitEndsAt } = set;
  const mayUnlock = lockedAt !== undefined && unlockAt === undefined;
  const mayEndWait = newKeyWait && newKeyWaitEndsAt === undefined;
  const lock = lockedAt === undefined ? guards.lockNow : guards.stayLocked;
  const wait = newKeyWait ? guards.waitKeepOn : guards.waitSwitchOn;
  return [
    ...buttonRows(offeredButtons([mayUnlock, guardIds.panelUnlock(ownerId), guards.askUnlock])),
    buttonRow(
      ...pinButtons(set, texts),
      button(guardIds.cap(ownerId), guards.setCap),
      ...offeredButtons([mayEndWait, guardIds.waitOff(ownerId), guards.waitSwitchOff]),
    ),
    ...buttonRows(
      offeredButtons(
        [!mayUnlock, guardIds.panelLock(ownerId), lock, "danger"],
        [!mayEndWait, guardIds.waitOn(ownerId), wait],
      ),
    ),
  ];
};

/** All guards of an owner's money with their pending changes, and the saved keys, with controls for each. */
export const guardsView = ({ guards: set, savedKeys, locale }: GuardsFacts): Reply => {
  const texts = guardTexts(locale);
  const { guards } = texts;
  const forget = savedKeys.slice(0, limits.selectOptions).map(({ name, value }, index) => ({
    value,
    label: cut(PLAIN.test(name) ? name : guards.nthKey(index + 1), limits.optionText),
    chosen: false,
  }));
  return reply(
    {
      tone: set.lockedAt === undefined ? "accent" : "warning",
      title: guards.title,
      description: guards.panelText,
      fields: [
        line(guards.lock, lockInWords(set, texts)),
        line(guards.pin, pinInWords(set, texts)),
        line(guards.cap, capInWords(set, texts)),
        line(guards.wait, waitInWords(set, texts)),
        line(guards.savedKeys, keysInWords(savedKeys, texts)),
      ],
    },
    ...guardRows(set, texts),
    ...(forget.length === 0
      ? []
      : [
          selectRow({
            id: guardIds.forgetKey(set.ownerId),
            placeholder: guards.forgetPlaceholder,
            options: forget,
          }),
        ]),
  );
};

/** Field ids, fixed by the outside contract. */
export const guardFields = { pin: "pin", current: "atual", cap: "limite" } as const;

const SHORTEST_PIN = 4;
const LONGEST_PIN = 8;

const pinField = (
  id: string,
  label: string,
  required: boolean,
  placeholder?: string,
): ModalField => ({
  id,
  label,
  ...(placeholder !== undefined && { placeholder }),
  minLength: SHORTEST_PIN,
  maxLength: LONGEST_PIN,
  required,
});

/** The form for a new PIN; with `hasOne` it also asks for the current PIN. */
export const pinForm = (ownerId: string, hasOne: boolean, locale: Locale): Modal => {
  const { guards } = guardTexts(locale);
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

/** The form to remove the PIN; a person who forgot it leaves the field empty. */
export const pinRemovalForm = (ownerId: string, locale: Locale): Modal => {
  const { guards } = guardTexts(locale);
  const { removePinLabel, removePinHint } = guards;
  return modal({
    customId: guardIds.dropPin(ownerId),
    title: guards.removePinTitle,
    fields: [pinField(guardFields.current, removePinLabel, false, removePinHint)],
  });
};

/** The form for the 24-hour limit; an empty field removes the limit. */
export const capForm = (ownerId: string, locale: Locale): Modal => {
  const { guards } = guardTexts(locale);
  return modal({
    customId: guardIds.saveCap(ownerId),
    title: guards.capTitle,
    fields: [
      {
        id: guardFields.cap,
        label: guards.capLabel,
        placeholder: guards.capHint,
        maxLength: LONGEST_AMOUNT,
        required: false,
      },
    ],
  });
};

/** The money lock alone: its effect, its start and the way to open it. */
export const lockView = ({ ownerId, lockedAt, unlockAt }: MoneyGuards, locale: Locale): Reply => {
  const texts = guardTexts(locale);
  const { guards } = texts;
  if (lockedAt === undefined) return reply({ title: guards.open, description: guards.openText });
  const asked = unlockAt !== undefined;
  return reply(
    {
      tone: "warning",
      title: guards.locked,
      description: guards.lockedText,
      fields: [
        line(guards.lockedSince, fullAndRelative(lockedAt)),
        line(
          guards.unlocking,
          asked
            ? `${guards.unlockAt(fullAndRelative(unlockAt))} ${guards.lockAgain}`
            : guards.unlockRule,
        ),
      ],
    },
    asked
      ? buttonRow(stayLockedButton(ownerId, texts))
      : buttonRow({ id: guardIds.unlock(ownerId), label: guards.askUnlock, style: "secondary" }),
  );
};

const stayLockedButton = (ownerId: string, { guards }: GuardTexts): ButtonParts =>
  button(guardIds.lock(ownerId), guards.stayLocked, "danger");

export const lockNowButton = (ownerId: string, { guards }: GuardTexts): ButtonParts =>
  button(guardIds.lock(ownerId), guards.lockNow, "danger");

const labelOf = (change: GuardFacts["change"], guards: GuardTexts["guards"]): string =>
  change === "pin_locked" ? guards.pinLockedUntil : guards.validFrom;

/**
 * To the owner: a guard was loosened or closed, or may be as it was before, or a new key waits. Reveals changes that a
 * stranger made.
 */
export const guardNotice = (facts: GuardFacts): DeliveryPayload => {
  const { change, from, pixKeyMasked, amount, noticedAt, ownerId, guildId, reference } = facts;
  const texts = guardTexts(facts.locale);
  const { guards, errorLabels, format } = texts;
  const { title, text } = guards.changes[change];
  const closed = change === "locked";
  const isLocked = change === "unlock_asked";
  const mayBeStranger = !closed && change !== "restored";
  const warning = mayBeStranger ? [guards.notYou(isLocked)] : [];
  const words = [text, ...warning, ...toServer(guildId, texts)];
  return post(
    {
      tone: "warning",
      sentence: mayBeStranger ? guards.alone(title, isLocked) : title,
      title,
      description: words.join("\n\n"),
      fields: [
        ...(pixKeyMasked === undefined
          ? []
          : [line(guards.newKey, safe(pixKeyMasked, KEY_LENGTH))]),
        ...(amount === undefined
          ? []
          : [line(change === "new_key" ? errorLabels.amount : guards.cap, format.reais(amount))]),
        ...(from === undefined ? [] : [line(labelOf(change, guards), fullAndRelative(from))]),
      ],
      readAt: noticedAt,
      reference,
    },
    ...(closed ? [] : [buttonRow((isLocked ? stayLockedButton : lockNowButton)(ownerId, texts))]),
  );
};

/** Custom ids by owner; `commands/seguranca.ts` and `commands/travar.ts` handle them. */
const guardIds = {
  lock: customIdOf("travar", "agora"),
  unlock: customIdOf("travar", "destravar"),
  panelLock: customIdOf("seguranca", "travar"),
  panelUnlock: customIdOf("seguranca", "destravar"),
  createPin: customIdOf("seguranca", "pin"),
  changePin: customIdOf("seguranca", "pin-trocar"),
  removePin: customIdOf("seguranca", "pin-tirar"),
  keepPin: customIdOf("seguranca", "pin-manter"),
  savePin: customIdOf("seguranca", "pin-salvar"),
  dropPin: customIdOf("seguranca", "pin-apagar"),
  cap: customIdOf("seguranca", "limite"),
  saveCap: customIdOf("seguranca", "limite-salvar"),
  waitOn: customIdOf("seguranca", "espera-ligar"),
  waitOff: customIdOf("seguranca", "espera-desligar"),
  forgetKey: customIdOf("seguranca", "esquecer"),
} as const;
