import type { SaleWatches } from "#src/sale-notices/sale-watch.store.ts";
import { onTestFinished } from "vitest";
import { lostRoutes, settlementHooks } from "#src/bot-jobs.ts";
import { storedInstant } from "#src/database/columns.ts";
import type { DestinationChoice } from "#src/accounts/account.ts";
import { createSignal } from "#src/delivery/deliver.job.ts";
import { withLostChannel } from "#src/delivery/lost-channel.job.ts";
import type { DeliveryPayload } from "#src/delivery/delivery.ts";
import type { SalesReport } from "#src/reports/sales.ts";
import { createSaleWatch } from "#src/sale-notices/sale-watch.job.ts";
import { Secret } from "#src/shared/secret.ts";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import { type Cents, cents } from "#src/shared/money.ts";
import { MINUTE } from "#src/shared/time.ts";
import type { Locale } from "#src/shared/locale.ts";
import type { CallsAbout } from "#src/webhooks/calls.service.ts";
import type {
  ListedTransaction,
  Transaction,
  TransactionPage,
} from "#src/transactions/transaction.ts";
import { presenceParts } from "../accounts/presence-parts.ts";
import { CARLA, savedAccount } from "../database/builders.ts";
import { openTestStores } from "../database/use-store.ts";
import {
  type DatabaseKind,
  openTestDatabase,
  quietLog,
  standingClock,
} from "../support/databases.ts";
import { createFakeChannels, testDeliver } from "../support/fake-channels.ts";
import { asRoute } from "../support/samples.ts";

export const CHANNEL = "910000000000000001";
export const GUILD = "900000000000000001";
export const SECOND_GUILD = "900000000000000002";
export const SHARED_WALLET = "1180000000000000500";
const START = "2026-11-19T15:00:00Z";

interface ModelSale {
  readonly txid: string;
  readonly amount: Cents;
  readonly createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
  status: "pending" | "approved" | "refunded";
  readonly origin: "api" | "esales";
}

export type Order = "created" | "updated" | "oldest" | "mixed";
export interface ListForm {
  order: Order;
  pageSize: number;
  /** Times that the rows show. */
  times: "both" | "created" | "none";
  /** Rows that the list shows in all. */
  most: number;
  /** Whether the list shows sales of both origins; else those by API alone. */
  hasEsales?: boolean;
  /** Whether the list says that there is more, and not how to ask for it. */
  isCut?: boolean;
}

const UNTOLD = {
  modality: "link",
  description: undefined,
  redirectUrl: undefined,
  providerId: undefined,
  payer: undefined,
  withdrawal: undefined,
} as const;

/** Scatters the sales in the same way in every run. */
const mixedPlace = ({ txid }: ModelSale): number => (Number(txid.slice(5)) * 7_919) % 10_007;

const errorOf = (kind: WalletErrorKind, route: string): WalletError =>
  new WalletError({ kind, method: "GET", route });

/** A service of one wallet account, with its sales in memory. */
const createModelSales = (now: () => Temporal.Instant) => {
  const sales: ModelSale[] = [];
  const model = {
    sales,
    form: { order: "created", pageSize: 20, times: "both", most: Infinity } as ListForm,
    /** Set: the list, the report, or each detail fails like that. */
    listFails: undefined as WalletErrorKind | undefined,
    /** Pages of the list before the first one that fails. */
    goodPages: 0,
    reportFails: undefined as WalletErrorKind | undefined,
    detailFails: undefined as WalletErrorKind | undefined,
    /** Calls of the list, of the report and of details. */
    asked: [] as { readonly what: "list" | "report" | "detail"; readonly at: Temporal.Instant }[],
    /** How far the service's clock is ahead. */
    aheadMs: 0,
    make: (
      reais: number,
      status: ModelSale["status"] = "approved",
      origin: ModelSale["origin"] = "api",
    ): ModelSale => {
      const at = now().add({ milliseconds: model.aheadMs });
      const txid = `sale-${sales.length + 1}`;
      const sale = { txid, amount: cents(Math.round(reais * 100)), status, origin };
      const made = { ...sale, createdAt: at.subtract({ seconds: 42 }), updatedAt: at };
      sales.push(made);
      return made;
    },
    change: (sale: ModelSale, status: ModelSale["status"]): void => {
      sale.status = status;
      sale.updatedAt = now().add({ milliseconds: model.aheadMs });
    },
  };

  /** Each sale has its key worked out once, because a look reads many pages of hundreds of sales. */
  const sortedBy = (given: readonly ModelSale[], keyOf: (sale: ModelSale) => number) =>
    given
      .map((sale) => ({ sale, key: keyOf(sale) }))
      .toSorted((one, other) => one.key - other.key)
      .map(({ sale }) => sale);
  const newestFirst = (timeOf: (sale: ModelSale) => Temporal.Instant) =>
    sortedBy(sales.toReversed(), (sale) => -timeOf(sale).epochMilliseconds);
  const sorted = (): readonly ModelSale[] => {
    switch (model.form.order) {
      case "created":
        return newestFirst(({ createdAt }) => createdAt);
      case "updated":
        return newestFirst(({ updatedAt }) => updatedAt);
      case "oldest":
        return newestFirst(({ createdAt }) => createdAt).toReversed();
      case "mixed":
        return sortedBy(sales, mixedPlace);
      default:
        return model.form.order satisfies never;
    }
  };

  const rowOf = (sale: ModelSale): ListedTransaction => ({
    txid: sale.txid,
    amount: sale.amount,
    net: cents(Math.round(sale.amount * 0.94)),
    type: "payment",
    status: sale.status,
    description: sale.txid,
    createdAt: model.form.times === "none" ? undefined : sale.createdAt,
    updatedAt: model.form.times === "both" ? sale.updatedAt : undefined,
  });

  const transactions = async (_: unknown, query: string | undefined): Promise<TransactionPage> => {
    model.asked.push({ what: "list", at: now() });
    const { pageSize, most, hasEsales = false, isCut = false } = model.form;
    const page = query === undefined ? 0 : Number(query.slice("page=".length));
    if (model.listFails !== undefined && page >= model.goodPages)
      throw errorOf(model.listFails, "/v1/transactions");
    const listed = sorted().filter(({ origin }) => hasEsales || origin === "api");
    const shown = listed.slice(0, most);
    const rows = shown.slice(page * pageSize, (page + 1) * pageSize).map(rowOf);
    const hasMore = shown.length > (page + 1) * pageSize;
    const next = hasMore && !isCut ? `page=${page + 1}` : undefined;
    return { items: rows, unnamed: 0, next, isCut: hasMore && isCut, skewMs: model.aheadMs };
  };

  const salesReport = async (_: unknown, day: Temporal.PlainDate): Promise<SalesReport> => {
    model.asked.push({ what: "report", at: now() });
    if (model.reportFails !== undefined) throw errorOf(model.reportFails, "/v1/sales/report");
    const ofDay = sales.filter(
      ({ createdAt, status }) =>
        status === "approved" && createdAt.toZonedDateTimeISO("UTC").toPlainDate().equals(day),
    );
    const total = cents(ofDay.reduce((sum, { amount }) => sum + amount, 0));
    const nothing = { sales: cents(0), fees: cents(0), net: cents(0) };
    const totals = { ...nothing, sales: total };
    const esales = ofDay.filter(({ origin }) => origin === "esales").length;
    const byOrigin = {
      api: { ...totals, count: ofDay.length - esales },
      esales: { ...nothing, count: esales },
    };
    return { day, userId: "1180000000000000011", total: totals, byOrigin };
  };

  const transaction = async (_: unknown, txid: string): Promise<Transaction> => {
    model.asked.push({ what: "detail", at: now() });
    if (model.detailFails !== undefined)
      throw errorOf(model.detailFails, "/v1/transactions/{txid}");
    const sale = sales.find((each) => each.txid === txid);
    if (sale === undefined) throw errorOf("not_found", "/v1/transactions/{txid}");
    const row = { type: "payment", net: sale.amount, fee: cents(0), ...UNTOLD };
    return { ...row, ...sale };
  };

  return Object.assign(model, { wallet: { transaction, transactions, salesReport } });
};

export interface Told {
  readonly target: string;
  readonly line: string;
  /** Outside of the embed, for notifications. */
  readonly alone: string | undefined;
  /** Under the line. */
  readonly timestamp: string | undefined;
  readonly sales: number;
  readonly refunds: number;
  readonly cents: number;
}

const COUNTED = /^\*\*([\d.]+) (vendas?|estornos?)\*\*/;
const AMOUNT = /\*\*R\$\u00a0([\d.]+),(\d\d)\*\*/;

const toldBy = (target: string, payload: DeliveryPayload): Told => {
  const { content: alone, embeds: [embed] = [] } = payload;
  const { description: line = "", timestamp } = embed ?? {};
  const [, count, word] = COUNTED.exec(line) ?? [];
  const [, whole = "0", part = "0"] = AMOUNT.exec(line) ?? [];
  const number = count === undefined ? 1 : Number(count.replaceAll(".", ""));
  if (line.includes("Pode faltar"))
    return { target, line, alone, timestamp, sales: 0, refunds: 0, cents: 0 };
  const isRefund = word === undefined ? line.startsWith("Estorno") : word.startsWith("estorno");
  return {
    target,
    line,
    alone,
    timestamp,
    sales: isRefund ? 0 : number,
    refunds: isRefund ? number : 0,
    cents: Number(whole.replaceAll(".", "")) * 100 + Number(part),
  };
};

/** The watch of sales on a real database, before a service in memory. */
export const openSaleStage = async (
  kind?: Pick<DatabaseKind, "create">,
  options: {
    readonly calls?: CallsAbout;
    readonly watches?: (real: SaleWatches) => SaleWatches;
  } = {},
) => {
  const clock = standingClock(START);
  const database = await kind?.create();
  const opened = await openTestDatabase(database?.url ?? "sqlite::memory:", clock);
  const stores = await openTestStores(opened);
  const service = createModelSales(clock.now);
  const { accounts, saleRoutes, saleWatches, salesDays } = stores;
  const watches = (options.watches ?? ((real) => real))(saleWatches);
  const wakes: Temporal.Instant[] = [];
  const start = () => {
    const job = createSaleWatch({
      clock,
      log: quietLog,
      accounts,
      watches,
      routes: saleRoutes,
      salesDays,
      wallet: service.wallet,
      hashTxid: stores.vault.hashTxid,
      ...(options.calls !== undefined && { calls: options.calls }),
      onOwed: () => {},
    });
    const { signal } = new AbortController();
    return { ...job, run: () => job.look(signal, (at) => void wakes.push(at)) };
  };
  const close = async (): Promise<void> => {
    await opened.close();
    await database?.drop();
  };
  const stage = {
    ...start(),
    start,
    clock,
    db: opened.db,
    stores,
    service,
    wakes,
    close,
    connect: (ownerId: string, guildId = GUILD, key = `sk_sandbox_${ownerId}`, user = ownerId) =>
      accounts.save(
        savedAccount({ guildId, ownerId, connectedBy: ownerId, connectedAt: clock.now() }),
        new Secret(key),
        user,
      ),
    route: (
      given: {
        guildId?: string;
        channelId?: string;
        minimum?: number;
        active?: boolean;
        locale?: Locale;
      } = {},
    ) =>
      saleRoutes.save(
        ...asRoute({
          guildId: given.guildId ?? GUILD,
          channelId: given.channelId ?? CHANNEL,
          minimum: cents(given.minimum ?? 0),
          active: given.active ?? true,
          locale: given.locale ?? "pt-BR",
          updatedBy: CARLA,
        }),
        clock.now(),
      ),
    choose: (ownerId: string, choice: DestinationChoice, guildId = GUILD) =>
      saleRoutes.choose(guildId, ownerId, choice, clock.now(), "pt-BR"),
    /** Advances the clock in steps and looks at each. */
    pass: async (
      duration: Temporal.DurationLike,
      each: Temporal.DurationLike = { seconds: 30 },
    ) => {
      const end = clock.now().add(duration);
      while (Temporal.Instant.compare(clock.now(), end) < 0) {
        clock.moveBy(Temporal.Duration.from(each).total("milliseconds"));
        await stage.run();
      }
    },
    told: async (target?: string): Promise<readonly Told[]> => {
      const rows = await opened.db
        .selectFrom("outbox")
        .select(["target_id", "payload", "settled_at"])
        .where("kind", "=", "sale_notice")
        .orderBy("line_at")
        .orderBy("created_at")
        .orderBy("dedupe_key")
        .execute();
      return rows
        .filter((row) => target === undefined || row.target_id === target)
        .map((row) => toldBy(row.target_id, JSON.parse(row.payload) as DeliveryPayload));
    },
  };
  onTestFinished(stage.close);
  return stage;
};

export type SaleStage = Awaited<ReturnType<typeof openSaleStage>>;

export const ANA = "920000000000000001";
export const BRUNO = "920000000000000002";

/** With Ana's notices in the channel, and her list read once. */
export const stageWithAna = async (
  ...given: Parameters<typeof openSaleStage>
): Promise<SaleStage> => {
  const stage = await openSaleStage(...given);
  await stage.connect(ANA);
  await stage.route();
  await stage.choose(ANA, "channel");
  await stage.run();
  return stage;
};

/** An older copy of the database was put back, a minute later. */
export const restored = async ({ clock, db }: SaleStage): Promise<void> => {
  clock.moveBy(MINUTE);
  const noticed_at = storedInstant(clock.now());
  await db
    .insertInto("database_restore")
    .values({ number: 1, cause: "restored", noticed_at, last_event_at: null, alive_at: null })
    .execute();
};

export const sumOf = (told: readonly Told[]) => ({
  sales: told.reduce((sum, { sales }) => sum + sales, 0),
  refunds: told.reduce((sum, { refunds }) => sum + refunds, 0),
  cents: told.reduce((sum, each) => sum + (each.sales > 0 ? each.cents : 0), 0),
});

/** Discord, which has taken nothing so far; `left` are sellers who are not in the server any more. */
export const discordOf = ({ clock, stores }: SaleStage, ...left: readonly string[]) => {
  const channels = createFakeChannels(clock);
  const { judge } = presenceParts(
    { clock, stores },
    async (_, userId) => ({ kind: left.includes(userId) ? "left" : "here" }),
    withLostChannel({ log: quietLog, routes: lostRoutes(stores) }, async () => ({
      kind: "holds",
    })),
  );
  const deliver = testDeliver({
    clock,
    outbox: stores.outbox,
    posting: channels,
    hooks: settlementHooks({ ...stores, clock }),
    revalidate: judge,
  });
  const { signal } = new AbortController();
  return {
    channels,
    deliver: () => deliver({ stopping: signal, news: createSignal(), retryAt: () => {} }),
    in: (channelId: string) => channels.inChannel(channelId).map(({ text }) => text),
  };
};

export const sell = async (stage: SaleStage): Promise<void> => {
  await stage.pass({ minutes: 2 });
  stage.service.make(123.45);
  await stage.pass({ minutes: 1 });
};

/** Ana and Bruno have keys of one wallet account. */
export const withKeys = async (kind: Parameters<typeof openSaleStage>[0]): Promise<SaleStage> => {
  const stage = await openSaleStage(kind);
  await stage.connect(ANA, GUILD, "sk_sandbox_shared_one", SHARED_WALLET);
  stage.clock.moveBy(1_000);
  await stage.connect(BRUNO, GUILD, "sk_sandbox_shared_two", SHARED_WALLET);
  await stage.route();
  return stage;
};
