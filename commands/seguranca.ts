import {
  type Action,
  action,
  type ActionInput,
  defineCommand,
  handler,
  type Invocation,
} from "#src/discord/command.ts";
import type { MoneyGuards } from "#src/money-guards/money-guards.ts";
import type { Services } from "#src/services.ts";
import type { Locale } from "#src/shared/locale.ts";
import {
  capForm,
  guardFields,
  guardsView,
  pinForm,
  pinRemovalForm,
} from "#src/money-guards/money-guards.view.ts";
import type { Modal, Reply } from "#src/ui/reply.ts";
import { MINIMUM_WITHDRAWAL } from "#src/withdrawals/withdraw-limits.ts";
import { UserError } from "#src/shared/errors.ts";
import { type Cents, typedCents } from "#src/shared/money.ts";
import type { Secret } from "#src/shared/secret.ts";
import { after, outdated, ownButton, typedSecret } from "./component-input.ts";
import { command } from "./definition.ts";

const panelReply = async (
  set: MoneyGuards | undefined,
  { userId, locale }: Invocation,
  { guards, withdrawals }: Services,
): Promise<Reply> =>
  guardsView({
    guards: set ?? (await guards.find(userId)),
    savedKeys: await withdrawals.savedKeys({ userId, locale }, ""),
    locale,
  });

const opens = (form: (ownerId: string, locale: Locale) => Modal): Action =>
  action({
    kind: "modal",
    answers: "new",
    parse: ownButton,
    run: (_, { userId, locale }) => form(userId, locale),
  });

/** Click or form that sets a guard, or changes the saved keys; the answer is the updated panel. */
const sets = <Input>(
  read: (input: ActionInput) => Input,
  set: (
    input: Input,
    invocation: Invocation,
    services: Services,
  ) => Promise<MoneyGuards | undefined>,
): Action =>
  action({
    kind: "write",
    answers: "update",
    parse: after(ownButton, read),
    run: async (input: Input, invocation, services) =>
      await panelReply(await set(input, invocation, services), invocation, services),
  });

const typedCurrent = (input: ActionInput): Secret | undefined =>
  typedSecret(input, guardFields.current);

/** @throws UserError pin_malformed */
const typedPins = (
  input: ActionInput,
): { readonly pin: Secret; readonly current: Secret | undefined } => {
  const pin = typedSecret(input, guardFields.pin);
  if (pin === undefined) throw new UserError({ kind: "pin_malformed" });
  return { pin, current: typedCurrent(input) };
};

/**
 * The typed limit; undefined for no limit. A limit below the smallest withdrawal would lock all money.
 * @throws UserError cap_unreadable, amount_too_fine, amount_too_large, cap_below_minimum
 */
const typedCap = ({ fields }: ActionInput): Cents | undefined => {
  const given = (fields.get(guardFields.cap) ?? "").trim();
  if (given === "") return undefined;
  const amount = typedCents(given, "cap_unreadable");
  if (amount < MINIMUM_WITHDRAWAL)
    throw new UserError({ kind: "cap_below_minimum", amount, minimum: MINIMUM_WITHDRAWAL });
  return amount;
};

const nothing = (): undefined => undefined;

export const seguranca = defineCommand({
  inDirectMessages: true,
  definition: command("seguranca", ({ seguranca }) => seguranca.self, []),
  handlers: handler({
    kind: "read",
    parse: nothing,
    run: panelReply,
  }),
  actions: {
    pin: opens((ownerId, locale) => pinForm(ownerId, false, locale)),
    "pin-trocar": opens((ownerId, locale) => pinForm(ownerId, true, locale)),
    "pin-tirar": opens(pinRemovalForm),
    "pin-manter": sets(nothing, (_, actor, { guards }) => guards.keepPin(actor)),
    "pin-salvar": sets(typedPins, ({ pin, current }, actor, { guards }) =>
      guards.setPin(actor, pin, current),
    ),
    "pin-apagar": sets(typedCurrent, (current, actor, { guards }) =>
      guards.removePin(actor, current),
    ),
    limite: opens(capForm),
    "limite-salvar": sets(typedCap, (cap, actor, { guards }) => guards.setDailyCap(actor, cap)),
    "espera-ligar": sets(nothing, (_, actor, { guards }) => guards.setNewKeyWait(actor, true)),
    "espera-desligar": sets(nothing, (_, actor, { guards }) => guards.setNewKeyWait(actor, false)),
    travar: { ...sets(nothing, (_, actor, { guards }) => guards.lock(actor)), stopsMoney: true },
    destravar: sets(nothing, (_, actor, { guards }) => guards.askUnlock(actor)),
    esquecer: sets(
      ({ values }) => values[0] ?? outdated(),
      async (handle, invocation, { withdrawals }) => {
        await withdrawals.forgetKey(invocation, handle);
        return undefined;
      },
    ),
  },
});
