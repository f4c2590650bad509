import { commands } from "#commands/index.ts";
import type { ActionInput, Answer, Invocation, OptionReader } from "#src/discord/command.ts";
import { createCommandTable, type WorkRoute } from "#src/discord/command-table.ts";
import type { InteractionData } from "#src/discord/interaction.ts";
import type { BalanceService, WithdrawalsService } from "#src/services/money/money-services.ts";
import type { Services } from "#src/services/services.ts";
import { ANA, CHANNEL, GUILD } from "../support/guild.ts";
import { NOW } from "../support/samples.ts";
import {
  acceptedOp,
  MASKED,
  sampleConfirmation,
  sampleOp,
  sampleStatus,
  sampleWithdrawal,
} from "../views/money/withdraw-samples.ts";

type Options = Partial<{
  readonly [Kind in keyof OptionReader]: Record<string, ReturnType<OptionReader[Kind]>>;
}>;

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

export const ACTOR = {
  guildId: GUILD,
  channelId: CHANNEL,
  userId: ANA,
  interactionId: INVOCATION.interactionId,
  locale: "pt-BR",
};

const reader = (options: Options): OptionReader => ({
  string: (name) => options.string?.[name],
  boolean: (name) => options.boolean?.[name],
  user: (name) => options.user?.[name],
  channel: (name) => options.channel?.[name],
  role: (name) => options.role?.[name],
});

/** Ana's commands on recording services that never move money. */
export const openTill = (given: Partial<WithdrawalsService> = {}) => {
  const asked: { readonly what: string; readonly with: readonly unknown[] }[] = [];
  const noting =
    <Args extends readonly unknown[], Result>(
      what: string,
      answer: (...args: Args) => Promise<Result>,
    ) =>
    async (...args: Args): Promise<Result> => {
      asked.push({ what, with: args });
      return await answer(...args);
    };
  const withdrawals: Partial<WithdrawalsService> = {
    prepare: noting("prepare", given.prepare ?? (async () => sampleConfirmation())),
    chooseKeyType: noting("chooseKeyType", async () => sampleConfirmation()),
    confirm: noting("confirm", given.confirm ?? (async () => sampleStatus({ op: acceptedOp() }))),
    abandon: noting("abandon", given.abandon ?? (async () => sampleOp({ state: "abandoned" }))),
    saveKey: noting("saveKey", async () => ({ masked: MASKED })),
    savedKeys: noting("savedKeys", given.savedKeys ?? (async () => [])),
  };
  const services = { withdrawals } as Services;
  const table = createCommandTable(commands);

  const routeOf = (deed: InteractionData): WorkRoute => {
    const route = table.find(deed);
    if (route === undefined || route.mode === "suggestions") throw new Error("Nobody serves it");
    return route;
  };
  const click = (customId: string, input: Partial<ActionInput> = {}): InteractionData => ({
    kind: "action",
    customId,
    input: { values: [], fields: new Map(), ...input },
    message: "1180000000000000888",
  });

  return {
    asked,
    type: async (name: string, options: Options): Promise<Answer> =>
      await routeOf({ kind: "command", name, subcommand: "", options: reader(options) }).run(
        INVOCATION,
        services,
      ),
    act: async (customId: string, input?: Partial<ActionInput>): Promise<Answer> =>
      await routeOf(click(customId, input)).run(INVOCATION, services),
    kindOf: (customId: string) => routeOf(click(customId)).handlerKind,
    suggest: async (name: string, option: string, text: string) => {
      const route = table.find({ kind: "autocomplete", name, typed: { option, text } });
      if (route?.mode !== "suggestions") throw new Error("Nobody suggests");
      return await route.run(INVOCATION, services);
    },
  };
};

const table = createCommandTable(commands);

const click = (customId: string, input: Partial<ActionInput> = {}): InteractionData => ({
  kind: "action",
  customId,
  input: { values: [], fields: new Map(), ...input },
  message: "1180000000000000888",
});

/** The route for a custom id or for full interaction data. @throws when no route matches. */
export const routeOf = (deed: InteractionData | string): WorkRoute => {
  const route = table.find(typeof deed === "string" ? click(deed) : deed);
  if (route === undefined || route.mode === "suggestions") throw new Error("Nobody serves it");
  return route;
};

/** Ana's `/saldo` and `/saques` on recording services. */
export const openDesk = (given: Partial<WithdrawalsService & BalanceService> = {}) => {
  const asked: (readonly unknown[])[] = [];
  const noting =
    <Args extends readonly unknown[], Result>(
      what: string,
      answer: (...args: Args) => Promise<Result>,
    ) =>
    async (...args: Args): Promise<Result> => {
      asked.push([what, ...args]);
      return await answer(...args);
    };
  const reading = { problem: undefined, readAt: NOW };
  const withdrawals: Partial<WithdrawalsService> = {
    list: noting("list", async () => ({ ...reading, ops: [acceptedOp()], elsewhere: [] })),
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
    prepareCancel: noting("prepareCancel", async () =>
      sampleConfirmation({ op: sampleOp({ kind: "cancel" }) }),
    ),
    acknowledgeRestore: noting("acknowledgeRestore", async () => {}),
    decide: noting("decide", async () =>
      sampleStatus({ op: acceptedOp({ state: "resolved_manual", resolution: "did_not_happen" }) }),
    ),
    suggestWithdrawals: noting("suggest", async () => [acceptedOp()]),
  };
  const balance: Partial<BalanceService> = given.read === undefined ? {} : { read: given.read };
  const services = { withdrawals, balance } as Services;

  return {
    asked,
    type: async (name: string, txid?: string, invocation = INVOCATION): Promise<Answer> => {
      const options = {
        string: () => txid,
        boolean: () => undefined,
        user: () => undefined,
        channel: () => undefined,
        role: () => undefined,
      };
      const route = routeOf({ kind: "command", name, subcommand: "", options });
      return await route.run(invocation, services);
    },
    act: async (
      customId: string,
      input?: Partial<ActionInput>,
      invocation: Invocation = INVOCATION,
    ): Promise<Answer> => await routeOf(click(customId, input)).run(invocation, services),
    suggest: async (text: string) => {
      const typed = { option: "txid", text };
      const route = table.find({ kind: "autocomplete", name: "saques", typed });
      if (route?.mode !== "suggestions") throw new Error("Nobody suggests");
      return await route.run(INVOCATION, services);
    },
  };
};
