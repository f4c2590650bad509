import {
  action,
  type ActionInput,
  defineCommand,
  handler,
  type Invocation,
} from "#src/discord/command.ts";
import { LONGEST_DESCRIPTION } from "#src/charges/charge.ts";
import { chargeView, codeView, newChargeView } from "#src/charges/charge.view.ts";
import { UserError } from "#src/shared/errors.ts";
import { type Cents, LONGEST_AMOUNT, typedCents } from "#src/shared/money.ts";
import { mayWrite, missingOf, writing } from "#src/shared/permissions.ts";
import { plainLine } from "#src/ui/format.ts";
import { after, outdated, requirePermissions } from "./component-input.ts";
import { command, option } from "./definition.ts";

const CHARGE_ID = /^[\w-]{16}$/;

/** @throws UserError outdated_component */
const chargeIdOf = ({ argument }: ActionInput): string =>
  CHARGE_ID.test(argument) ? argument : outdated();

/** @throws UserError charge_amount_unreadable, charge_amount_too_small, amount_too_fine, amount_too_large */
const amountOf = (given: string): Cents => {
  const amount = typedCents(given, "charge_amount_unreadable");
  if (amount < 1) throw new UserError({ kind: "charge_amount_too_small", given });
  return amount;
};

/**
 * The bot posts the card for the person who asks, and so nowhere where that person may not write: a code for payments in
 * a channel of announcements would pass for the server's own. @throws UserError may_not_write_here
 */
const requireWriter = (_: unknown, invocation: Invocation): void => {
  if (!mayWrite(invocation)) throw new UserError({ kind: "may_not_write_here" });
};

/** @throws UserError missing_channel_permissions */
const requirePostable = (_: unknown, { appPermissions, channelId, inThread }: Invocation): void => {
  const needed = ["view_channel", writing(inThread), "embed_links", "attach_files"] as const;
  requirePermissions(channelId, appPermissions, (held) => missingOf(held, needed));
};

/** One line without hidden characters. @throws UserError charge_description_empty, charge_description_long */
const descriptionOf = (given: string): string => {
  const shown = plainLine(given, Infinity);
  if (shown === "") throw new UserError({ kind: "charge_description_empty" });
  if (Array.from(shown).length > LONGEST_DESCRIPTION)
    throw new UserError({ kind: "charge_description_long", given: shown });
  return shown;
};

export const cobrar = defineCommand({
  definition: command("cobrar", ({ cobrar }) => cobrar.self, [
    {
      ...option("string", "valor", ({ cobrar }) => cobrar.valor),
      required: true,
      max_length: LONGEST_AMOUNT,
    },
    {
      ...option("string", "descricao", ({ cobrar }) => cobrar.descricao),
      required: true,
      max_length: 2 * LONGEST_DESCRIPTION,
    },
  ]),
  handlers: handler({
    kind: "write",
    parse: (options) => ({
      amount: amountOf(options.string("valor") ?? ""),
      description: descriptionOf(options.string("descricao") ?? ""),
    }),
    run: async (request, invocation, { charges }) => {
      const facts = await charges.create(invocation, request);
      const shown = { ...facts, mayPublish: mayWrite(invocation) };
      return {
        ...newChargeView(shown, invocation.locale),
        onTaken: async () => await charges.answered(facts.charge),
      };
    },
  }),
  actions: {
    publicar: action({
      kind: "write",
      answers: "update",
      parse: after(requireWriter, after(requirePostable, chargeIdOf)),
      run: async (id: string, invocation, { charges }) =>
        chargeView(await charges.publish(invocation, id), invocation.locale),
    }),
    codigo: action({
      kind: "read",
      answers: "new",
      parse: chargeIdOf,
      run: async (id, invocation, { charges }) => codeView(await charges.code(invocation, id)),
    }),
  },
});
