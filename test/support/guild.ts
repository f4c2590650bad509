import { setImmediate } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { commands } from "#commands/index.ts";
import type { ConnectRequest } from "#src/accounts/accounts.service.ts";
import { Secret } from "#src/shared/secret.ts";
import { createMoney, moneyNeeds } from "#src/bot-money.ts";
import { createServices } from "#src/bot-services.ts";
import type { ActionInput, Answer, Invocation, OptionReader } from "#src/discord/command.ts";
import type { Suggestion } from "#src/ui/reply.ts";
import { createCommandTable } from "#src/discord/command-table.ts";
import type { InteractionData } from "#src/discord/interaction.ts";
import { settlementHooks } from "#src/bot-jobs.ts";
import { createSignal, type Revalidate } from "#src/delivery/deliver.job.ts";
import { withPayableCharge } from "#src/charges/charge-cards.job.ts";
import { createRevalidateAlert } from "#src/disputes/revalidate-alert.job.ts";
import type { Services } from "#src/services.ts";
import { UserError } from "#src/shared/errors.ts";
import type { Stores } from "#src/stores.ts";
import type { Database } from "#src/schema.ts";
import type { Locale } from "#src/shared/locale.ts";
import type { WalletClient } from "#src/wallet/client.ts";
import { createFakeChannels, type FakeChannels, testDeliver } from "./fake-channels.ts";
import { openTestDatabase, quietLog, standingClock, testRandom } from "./databases.ts";
import { openTestStores } from "../database/use-store.ts";
import { NOW, sampleReport } from "./samples.ts";

export const GUILD = "1180000000000000001";
export const OTHER_GUILD = "1180000000000000002";
export const CHANNEL = "1180000000000000102";
export const ANA = "1180000000000000011";
export const BRUNO = "1180000000000000012";
export const CARLA = "1180000000000000013";
const PUBLIC_URL = "https://bot.example.com";
export const ANA_KEY = "sk_test_ana_0123456789";

export type Options = Partial<{
  readonly [Kind in keyof OptionReader]: Record<string, ReturnType<OptionReader[Kind]>>;
}>;

export interface Person {
  /** `name` as typed: `conta ver`. */
  readonly command: (name: string, options?: Options) => Promise<Answer>;
  readonly act: (customId: string, input?: Partial<ActionInput>) => Promise<Answer>;
  /** What is suggested while this text of a command's option is typed. */
  readonly type: (name: string, option: string, text: string) => Promise<readonly Suggestion[]>;
}

/** One guild with a real database and services, a scripted wallet and recording channels. */
export interface Guild {
  readonly clock: ReturnType<typeof standingClock>;
  readonly stores: Stores;
  readonly db: Database;
  readonly services: Services;
  readonly channels: FakeChannels;
  /** Judges each post; replaceable. */
  readonly judge: { revalidate: Revalidate };
  /** Answers the reads of reports, disputes, withdrawals and transactions; replaceable. */
  readonly wallet: {
    report: WalletClient["salesReport"];
    dispute: WalletClient["dispute"];
    withdrawal: WalletClient["withdrawal"];
    transaction: WalletClient["transaction"];
    transactions: WalletClient["transactions"];
    createCharge: WalletClient["createCharge"];
  };
  /** Resolves when everything enqueued so far has been attempted. */
  readonly delivered: () => Promise<void>;
  /** Attempts what is due now. */
  readonly deliver: () => Promise<void>;
  readonly names: Map<string, string>;
  /** People who are in no server, as Discord tells, or those of a server as `guild person`. */
  readonly outside: Set<string>;
  /** Servers about whose members Discord does not answer. */
  readonly silent: Set<string>;
  /** In `GUILD` by default; `guildId: ""` is a direct message. `guildLocale` is the language of its posts. */
  readonly person: (
    userId: string,
    given?: { manager?: boolean; locale?: Locale; guildId?: string; guildLocale?: Locale },
  ) => Person;
}

export const reader = (options: Options): OptionReader => ({
  string: (name) => options.string?.[name],
  boolean: (name) => options.boolean?.[name],
  user: (name) => options.user?.[name],
  channel: (name) => options.channel?.[name],
  role: (name) => options.role?.[name],
});

export const openGuild = async ({ withdrawEnabled = true } = {}): Promise<Guild> => {
  const clock = standingClock(NOW.toString());
  const database = await openTestDatabase("sqlite::memory:", clock);
  const stores = await openTestStores(database);
  const channels = createFakeChannels(clock);
  const judge: Guild["judge"] = {
    revalidate: withPayableCharge(
      { ...stores, clock, log: quietLog },
      createRevalidateAlert({
        clock,
        log: quietLog,
        accounts: stores.accounts,
        watch: stores.disputeWatch,
        routes: stores.alertRoutes,
        wallet: { dispute: (...asked) => client.dispute(...asked) },
        onOwed: () => void deliverInOrder(),
      }),
    ),
  };
  const deliver = testDeliver({
    ...stores,
    clock,
    posting: channels,
    hooks: settlementHooks({ ...stores, clock }),
    revalidate: (claim) => judge.revalidate(claim),
  });
  let delivering = Promise.resolve();
  const deliverInOrder = async (): Promise<void> => {
    const run = { stopping: new AbortController().signal, news: createSignal(), retryAt: () => {} };
    delivering = delivering.then(() => deliver(run));
    await delivering;
  };
  onTestFinished(async () => {
    await delivering;
    await database.close();
  });
  const wallet: Guild["wallet"] = {
    report: async () => sampleReport(),
    dispute: () => Promise.reject(new Error("no dispute is there")),
    withdrawal: () => Promise.reject(new Error("no withdrawal is there")),
    transaction: () => Promise.reject(new Error("no payment is there")),
    transactions: () => Promise.reject(new Error("no list is there")),
    createCharge: () => Promise.reject(new Error("no charge is asked for")),
  };
  const client = {
    salesReport: (key, day, priority) => wallet.report(key, day, priority),
    dispute: (key, infractionId, priority) => wallet.dispute(key, infractionId, priority),
    withdrawal: (key, txid, priority) => wallet.withdrawal(key, txid, priority),
    transaction: (...asked) => wallet.transaction(...asked),
    transactions: (...asked) => wallet.transactions(...asked),
    createCharge: (key, request) => wallet.createCharge(key, request),
  } as WalletClient;
  const money = createMoney(
    moneyNeeds(stores, {
      clock,
      monotonicMs: () => 0,
      random: testRandom,
      log: quietLog,
      wallet: client,
      show: async () => false,
      withdrawEnabled,
      refundEnabled: true,
      pinRounds: 2,
      wake: () => void deliverInOrder(),
    }),
  );
  const names = new Map([[GUILD, "Loja Aurora"]]);
  const outside = new Set<string>();
  const silent = new Set<string>();
  const services = createServices({
    clock,
    monotonicMs: () => clock.now().epochMilliseconds,
    log: quietLog,
    random: testRandom,
    stores,
    wallet: client,
    money,
    medAnswerUrl: undefined,
    publicUrl: PUBLIC_URL,
    calls: [],
    deliver: deliverInOrder,
    // A post and its settlement take some turns of the event loop.
    pause: () => setImmediate(),
    followCharges: async () => {},
    lookAtSales: () => {},
    guildName: async (guildId) => names.get(guildId),
    askPresence: async (guildId, userId) => {
      if (silent.has(guildId)) return { kind: "unknown" };
      const isOutside = outside.has(userId) || outside.has(`${guildId} ${userId}`);
      return { kind: isOutside ? "left" : "here" };
    },
  });
  const table = createCommandTable(commands);
  let interactions = 0;

  const person: Guild["person"] = (
    userId,
    { manager = false, locale = "pt-BR", guildId = GUILD, guildLocale = "pt-BR" } = {},
  ) => {
    const invoked = (): Invocation => ({
      interactionId: String(++interactions),
      guildId,
      channelId: CHANNEL,
      userId,
      memberPermissions: manager ? 32n : 0n,
      locale,
      guildLocale,
      createdAt: clock.now(),
    });
    const run = async (deed: InteractionData): Promise<Answer> => {
      const route = table.find(deed);
      if (route === undefined || route.mode === "suggestions") throw new Error("Nobody serves it");
      if (guildId === "" && route.inDirectMessages !== true)
        throw new UserError({ kind: "guild_only" });
      return await route.run(invoked(), services);
    };
    return {
      type: async (name, option, text) => {
        const route = table.find({ kind: "autocomplete", name, typed: { option, text } });
        if (route?.mode !== "suggestions") throw new Error("Nobody suggests it");
        return await route.run(invoked(), services);
      },
      command: (typed, options = {}) => {
        const [name = "", subcommand = ""] = typed.split(" ");
        return run({ kind: "command", name, subcommand, options: reader(options) });
      },
      act: (customId, input = {}) =>
        run({
          kind: "action",
          customId,
          input: { values: [], fields: new Map(), ...input },
          message: "1180000000000000400",
        }),
    };
  };
  const deliveries = { delivered: () => delivering, deliver: deliverInOrder };
  const { db } = database;
  return {
    clock,
    stores,
    db,
    services,
    channels,
    judge,
    wallet,
    names,
    outside,
    silent,
    ...deliveries,
    person,
  };
};

/** Ana answers the present question about her key in `guildId`. */
export const disconnect = async ({ accounts }: Services, guildId = GUILD) => {
  const account = await accounts.find(guildId, ANA);
  const { questionId } = await accounts.disconnection(account!);
  return await accounts.disconnect(guildId, ANA, questionId);
};

/** Ana's key for `GUILD`, as she typed it herself. */
export const connectRequest = (given: Partial<ConnectRequest> = {}): ConnectRequest => {
  const { ownerId = ANA } = given;
  const typed = { apiKey: new Secret(ANA_KEY), guildLocale: "pt-BR", locale: "pt-BR" } as const;
  return { guildId: GUILD, ownerId, connectedBy: ownerId, ...typed, ...given };
};

export const connect = async (
  person: Person,
  apiKey: string,
  options: Options = {},
): Promise<Answer> => {
  const form = await person.command("conta conectar", options);
  if (form.kind !== "modal") throw new Error("No form was opened");
  return await person.act(form.customId, { fields: new Map([["api_key", apiKey]]) });
};
