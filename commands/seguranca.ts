import { action, defineCommand, handler } from "#src/discord/command.ts";
import { UserError } from "#src/shared/errors.ts";
import { capForm, pinForm, pinRemovalForm } from "#src/views/money/guards.ts";
import { command } from "./parts/definition.ts";
import { ownButton } from "./parts/key-owner.ts";
import { typedCap, typedCurrent, typedPins } from "./parts/seguranca-typed.ts";
import { opens, panelReply, sets } from "./parts/seguranca.ts";

const nothing = (): undefined => undefined;

export const seguranca = defineCommand({
  inDirectMessages: true,
  definition: command("seguranca", ({ seguranca }) => seguranca.self, []),
  handlers: handler({
    kind: "read",
    parse: nothing,
    run: (_, invocation, services) => panelReply(invocation, services),
  }),
  actions: {
    pin: opens((ownerId, locale) => pinForm(ownerId, false, locale)),
    "pin-trocar": opens((ownerId, locale) => pinForm(ownerId, true, locale)),
    "pin-tirar": opens(pinRemovalForm),
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
    esquecer: action({
      kind: "write",
      answers: "update",
      parse: (input, invocation) => {
        ownButton(input, invocation);
        const [handle] = input.values;
        if (handle === undefined) throw new UserError({ kind: "outdated_component" });
        return handle;
      },
      run: async (handle, invocation, services) => {
        await services.withdrawals.forgetKey(invocation, handle);
        return await panelReply(invocation, services);
      },
    }),
  },
});
