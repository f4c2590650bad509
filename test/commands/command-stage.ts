import { buttonSets, commands } from "#commands/index.ts";
import type { ActionInput, Answer, Invocation } from "#src/discord/command.ts";
import { createCommandTable, type WorkRoute } from "#src/discord/command-table.ts";
import type { InteractionData } from "#src/discord/interaction.ts";
import type { Services } from "#src/services.ts";
import { ANA, CHANNEL, GUILD, type Options, reader } from "../support/guild.ts";
import { NOW } from "../support/samples.ts";
import {
  acceptedOp,
  MASKED,
  sampleCancel,
  sampleConfirmation,
  sampleRefund,
  sampleOp,
  sampleStatus,
  sampleWithdrawal,
} from "../withdrawals/withdraw-samples.ts";

export const INVOCATION: Invocation = {
  interactionId: "1180000000000000777",
  guildId: GUILD,
  channelId: CHANNEL,
  userId: ANA,
  memberPermissions: 0n,
  locale: "pt-BR",
  guildLocale: "pt-BR",
  createdAt: NOW,
};

const table = createCommandTable(commands, buttonSets);

const click = (customId: string, input: Partial<ActionInput> = {}): InteractionData => ({
  kind: "action",
  customId,
  input: { values: [], fields: new Map(), ...input },
  message: "1180000000000000888",
});

/** Route of a click (by its custom id) or of other data. @throws Error when no command serves it */
export const routeOf = (data: InteractionData | string): WorkRoute => {
  const route = table.find(typeof data === "string" ? click(data) : data);
  if (route === undefined || route.mode === "suggestions") throw new Error("No command serves it");
  return route;
};

type Noting = <Args extends readonly unknown[], Result>(
  what: string,
  answer: (...args: Args) => Promise<Result>,
) => (...args: Args) => Promise<Result>;

/** Ana's commands before the given services. `asked` lists the calls of the functions that `noting` wrapped. */
export const openCommands = (servicesOf: (noting: Noting) => object) => {
  const asked: (readonly unknown[])[] = [];
  const services = servicesOf((what, answer) => async (...args) => {
    asked.push([what, ...args]);
    return await answer(...args);
  }) as Services;
  const run = async (data: InteractionData, invocation = INVOCATION): Promise<Answer> =>
    await routeOf(data).run(invocation, services);
  return {
    asked,
    run,
    type: async (name: string, options: Options = {}, invocation?: Invocation): Promise<Answer> =>
      await run({ kind: "command", name, subcommand: "", options: reader(options) }, invocation),
    act: async (customId: string, input?: Partial<ActionInput>, invocation?: Invocation) =>
      await run(click(customId, input), invocation),
    suggest: async (name: string, option: string, text: string, invocation = INVOCATION) => {
      const route = table.find({ kind: "autocomplete", name, typed: { option, text } });
      if (route?.mode !== "suggestions") throw new Error("No command suggests");
      return await route.run(invocation, services);
    },
  };
};

/** Ana's commands of money before services that move none. */
export const openMoneyCommands = (
  given: Partial<
    Services["withdrawals"] & Services["balance"] & { readonly page: Uint8Array }
  > = {},
) =>
  openCommands((noting) => {
    const reading = { problem: undefined, readAt: NOW, withdrawEnabled: true };
    const withdrawals: Partial<Services["withdrawals"]> = {
      prepare: noting("prepare", given.prepare ?? (async () => sampleConfirmation())),
      chooseKeyType: noting("chooseKeyType", async () => sampleConfirmation()),
      confirm: noting("confirm", given.confirm ?? (async () => sampleStatus({ op: acceptedOp() }))),
      abandon: noting("abandon", given.abandon ?? (async () => sampleOp({ state: "abandoned" }))),
      saveKey: noting("saveKey", async () => ({ masked: MASKED })),
      savedKeys: noting("savedKeys", given.savedKeys ?? (async () => [])),
      toDecide: noting("toDecide", given.toDecide ?? (async () => acceptedOp({ state: "manual" }))),
      list: noting("list", async () => ({
        ...reading,
        ops: [acceptedOp()],
        elsewhere: [],
        undelivered: 0,
      })),
      detail: noting(
        "detail",
        given.detail ??
          (async () => ({
            ...reading,
            op: acceptedOp({ state: "completed" }),
            events: [],
            withdrawal: sampleWithdrawal(),
          })),
      ),
      check: noting("check", async () => sampleStatus()),
      prepareCancel: noting("prepareCancel", async () => sampleCancel()),
      prepareRefund: noting("prepareRefund", async () => sampleRefund()),
      acknowledgeRestore: noting("acknowledgeRestore", async () => {}),
      decide: noting(
        "decide",
        given.decide ??
          (async () =>
            sampleStatus({
              op: acceptedOp({ state: "resolved_manual", resolution: "did_not_happen" }),
            })),
      ),
      suggestWithdrawals: noting("suggest", async () => [acceptedOp()]),
    };
    const print = { page: async () => given.page };
    return { withdrawals, balance: { read: given.read }, print };
  });
