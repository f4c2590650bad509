import type { AnswerOutcome } from "#src/discord/responder.ts";
import { click, modalSubmit } from "../discord/support/interactions.ts";
import type { Dice } from "../simulate/dice.ts";

/** A draft that awaits a click, with its owner's knowledge of it. */
export interface Waiting {
  readonly opId: string;
  readonly token: string;
  readonly guildId: string;
  readonly channelId: string;
  readonly ownerId: string;
  readonly pin: string | undefined;
}

/** An incoming interaction, and the step that its sender may cause with it. */
export interface Attempt {
  readonly label: string;
  readonly raw: { readonly id: string };
  /** Undefined: the interaction may not change any operation. */
  readonly permits: { readonly opId: string; readonly step: "confirm" | "abandon" } | undefined;
  /** The fate of the bot's first answer, when Discord rejects it. */
  readonly refusal?: AnswerOutcome;
}

const STRANGER = "1180000000000000999";
const OTHER_GUILD = "1180000000000000002";
const OTHER_CHANNEL = "1180000000000000199";
const STALE_MS = 2_501;

const REFUSALS: readonly AnswerOutcome[] = [
  { kind: "expired", code: 10062 },
  { kind: "answered_elsewhere" },
  { kind: "refused", status: 403, code: undefined },
  { kind: "throttled", retryAfterMs: 9_000 },
  { kind: "unclear", unsent: false, reason: "reset" },
  { kind: "unclear", unsent: true, reason: "refused" },
  { kind: "accepted", presumed: true },
];

/** Actions that receive the token as if it were their own, or belong to another person. */
const OTHER_ACTIONS = [
  "saque:pin",
  "saque:cpf",
  "saque:celular",
  "saque:guardar",
  "saque:refazer",
  "saques:verificar",
  "saques:status",
  "saques:cancelar",
  "saques:decidir-sim",
  "saques:decidir-nao",
  "saque:confirmar:saque",
  "vendas:confirmar",
] as const;

interface Place {
  readonly userId?: string;
  readonly guildId?: string | undefined;
  readonly channelId?: string;
}

export const createAttempts = (dice: Dice, clock: { now: () => Temporal.Instant }) => {
  const pick = <Item>(items: readonly Item[]): Item => {
    if (items.length === 0) throw new Error("Nothing to pick from");
    return items[dice.between(0, items.length - 1)] as Item;
  };

  const placed = <Raw extends object>(raw: Raw, waiting: Waiting, place: Place): Raw => {
    const user = { id: place.userId ?? waiting.ownerId, username: "alguem" };
    const channel = place.channelId ?? waiting.channelId;
    const isDirect = "guildId" in place && place.guildId === undefined;
    return {
      ...raw,
      guild_id: isDirect ? undefined : (place.guildId ?? waiting.guildId),
      channel_id: channel,
      channel: { id: channel, type: 0 },
      ...(isDirect
        ? { member: undefined, user }
        : { member: { user, permissions: "8", roles: [] } }),
    };
  };

  const press = (waiting: Waiting, customId: string, place: Place = {}, at = clock.now()) =>
    placed(click(customId, at), waiting, place);

  const send = (waiting: Waiting, pin: string | undefined, place: Place = {}) =>
    placed(
      modalSubmit(
        `saque:confirmar:${waiting.token}`,
        pin === undefined ? {} : { pin },
        { message: { id: "1180000000000000400" } },
        clock.now(),
      ),
      waiting,
      place,
    );

  /** The owner's confirmation. */
  const confirmation = (waiting: Waiting, place: Place = {}) =>
    waiting.pin === undefined
      ? press(waiting, `saque:confirmar:${waiting.token}`, place)
      : send(waiting, waiting.pin, place);

  const flipped = (text: string): string => {
    const at = dice.between(0, text.length - 1);
    const code = text.charCodeAt(at) ^ (1 << dice.between(0, 6));
    return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
  };

  const foreign = (label: string, raw: Attempt["raw"]): Attempt => ({
    label,
    raw,
    permits: undefined,
  });

  /** For an owner without a PIN, a form is a second way to confirm. */
  const form = (waiting: Waiting): Attempt => {
    const { opId, token, pin } = waiting;
    if (pin === undefined)
      return {
        label: "form",
        raw: send(waiting, pick([undefined, "", "000000"])),
        permits: { opId, step: "confirm" },
      };
    const wrong = pick([undefined, "", "000000", `${pin}0`, pin.slice(1), "click"]);
    const raw =
      wrong === "click" ? press(waiting, `saque:confirmar:${token}`) : send(waiting, wrong);
    return foreign("wrong PIN", raw);
  };

  /**
   * Draws one interaction about the draft; `others` are other people's drafts, whose tokens may get mixed up with it.
   */
  const next = (
    waiting: Waiting,
    others: readonly Waiting[],
    before: readonly Attempt[],
  ): Attempt => {
    const { opId, token } = waiting;
    const id = `saque:confirmar:${token}`;
    switch (dice.between(0, 15)) {
      case 0:
      case 1:
      case 2:
        if (waiting.pin !== undefined && dice.fraction() < 0.7) return form(waiting);
        return { label: "confirm", raw: confirmation(waiting), permits: { opId, step: "confirm" } };
      case 3:
      case 4: {
        const again = before.length === 0 ? undefined : pick(before);
        return again === undefined ? next(waiting, others, before) : { ...again, label: "replay" };
      }
      case 5:
        return foreign("stranger", confirmation(waiting, { userId: STRANGER }));
      case 6: {
        const owner = pick(others);
        return foreign("another owner", confirmation(waiting, { userId: owner.ownerId }));
      }
      case 7:
        return foreign("other channel", confirmation(waiting, { channelId: OTHER_CHANNEL }));
      case 8:
        return foreign("other guild", confirmation(waiting, { guildId: OTHER_GUILD }));
      case 9:
        return foreign(
          "direct message",
          confirmation(waiting, { guildId: undefined, channelId: OTHER_CHANNEL }),
        );
      case 10:
        return foreign(
          "stale event",
          press(waiting, id, {}, clock.now().subtract({ milliseconds: STALE_MS })),
        );
      case 11: {
        const raw = confirmation(waiting);
        return { label: "deaf", raw, permits: undefined, refusal: pick(REFUSALS) };
      }
      case 12:
        return foreign("bit flip", press(waiting, flipped(id)));
      case 13: {
        const other = pick(others);
        return foreign("swapped", press(waiting, `saque:confirmar:${other.token}`));
      }
      case 14:
        return foreign("other action", press(waiting, `${pick(OTHER_ACTIONS)}:${token}`));
      default:
        if (dice.fraction() < 0.3)
          return {
            label: "abandon",
            raw: press(waiting, `saque:desistir:${token}`),
            permits: { opId, step: "abandon" },
          };
        return form(waiting);
    }
  };

  return { next, pick };
};
