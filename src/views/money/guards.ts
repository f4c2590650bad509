import type { MoneyGuards } from "../../domain/money-guards.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor, type Texts } from "../../texts/texts.ts";
import { buttonRow, type ButtonParts, selectRow } from "../components.ts";
import { line } from "../embed.ts";
import { cut, limits } from "../limits.ts";
import { reply, type Reply } from "../reply.ts";
import { safe } from "../safe.ts";
import { fullAndRelative } from "../timestamp.ts";
import { guardIds } from "./withdrawal-ids.ts";

const MOST_KEYS = 8;
const KEY_LENGTH = 80;
/** Anything else in a menu could be read as something that it is not. */
const PLAIN = /^[\p{L}\p{N}*@.+\-/() ·]+$/u;

/** A saved key as it is suggested. */
interface SavedKey {
  /** Masked, with its type. */
  readonly name: string;
  /** Opaque; says nothing of the key. */
  readonly value: string;
}

export interface GuardsFacts {
  /** As they are in force now. */
  readonly guards: MoneyGuards;
  readonly savedKeys: readonly SavedKey[];
  readonly locale: Locale;
}

const lockInWords = ({ lockedAt, unlockAt }: MoneyGuards, { guards }: Texts): string => {
  if (lockedAt === undefined) return guards.lockOff;
  const since = guards.lockOn(fullAndRelative(lockedAt));
  return unlockAt === undefined ? since : `${since}\n${guards.unlockAt(fullAndRelative(unlockAt))}`;
};

const pinInWords = ({ pin }: MoneyGuards, { guards }: Texts): string => {
  if (pin === undefined) return guards.pinOff;
  const { lockedUntil, endsAt } = pin;
  return [
    guards.pinOn,
    ...(lockedUntil === undefined ? [] : [guards.pinLocked(fullAndRelative(lockedUntil))]),
    ...(endsAt === undefined ? [] : [guards.pinEnds(fullAndRelative(endsAt))]),
  ].join("\n");
};

const capInWords = ({ dailyCap, pendingCap }: MoneyGuards, { guards, format }: Texts): string => {
  const now = dailyCap === undefined ? guards.capOff : guards.capOn(format.reais(dailyCap));
  if (pendingCap === undefined) return now;
  const from = fullAndRelative(pendingCap.from);
  const then =
    pendingCap.cap === undefined
      ? guards.capEnds(from)
      : guards.capFrom(format.reais(pendingCap.cap), from);
  return `${now}\n${then}`;
};

const waitInWords = ({ newKeyWait, newKeyWaitEndsAt }: MoneyGuards, { guards }: Texts): string => {
  if (!newKeyWait) return guards.waitOff;
  return newKeyWaitEndsAt === undefined
    ? guards.waitOn
    : `${guards.waitOn}\n${guards.waitEnds(fullAndRelative(newKeyWaitEndsAt))}`;
};

const keysInWords = (keys: readonly SavedKey[], { guards }: Texts): string => {
  if (keys.length === 0) return guards.noKeys;
  const shown = keys.slice(0, MOST_KEYS).map(({ name }) => safe(name, KEY_LENGTH));
  const left = keys.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [guards.moreKeys(left)])].join("\n");
};

const button = (
  id: string,
  label: string,
  style: ButtonParts["style"] = "secondary",
): ButtonParts => ({ id, label, style });

const pinButtons = ({ pin, ownerId }: MoneyGuards, { guards }: Texts): readonly ButtonParts[] =>
  pin === undefined
    ? [button(guardIds.createPin(ownerId), guards.createPin)]
    : [
        button(guardIds.changePin(ownerId), guards.changePin),
        button(guardIds.removePin(ownerId), guards.removePin),
      ];

const waitButtons = (guards: MoneyGuards, { guards: words }: Texts): readonly ButtonParts[] => {
  const { ownerId, newKeyWait, newKeyWaitEndsAt } = guards;
  if (!newKeyWait) return [button(guardIds.waitOn(ownerId), words.waitSwitchOn)];
  return newKeyWaitEndsAt === undefined
    ? [button(guardIds.waitOff(ownerId), words.waitSwitchOff)]
    : [button(guardIds.waitOn(ownerId), words.waitKeepOn)];
};

const lockButton = (
  { lockedAt, unlockAt, ownerId }: MoneyGuards,
  { guards }: Texts,
): ButtonParts => {
  if (lockedAt === undefined) return button(guardIds.panelLock(ownerId), guards.lockNow, "danger");
  return unlockAt === undefined
    ? button(guardIds.panelUnlock(ownerId), guards.askUnlock)
    : button(guardIds.panelLock(ownerId), guards.stayLocked, "danger");
};

/** All that guards an owner's money, what loosens when, and the saved keys, with buttons to change each. */
export const guardsView = ({ guards: set, savedKeys, locale }: GuardsFacts): Reply => {
  const texts = textsFor(locale);
  const { guards } = texts;
  const forget = savedKeys.map(({ name, value }, index) => ({
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
    buttonRow(
      ...pinButtons(set, texts),
      button(guardIds.cap(set.ownerId), guards.setCap),
      ...waitButtons(set, texts),
      lockButton(set, texts),
    ),
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
