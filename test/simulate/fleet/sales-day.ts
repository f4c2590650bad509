import { cents } from "#src/shared/money.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { newSecret } from "#src/webhooks/webhook.ts";
import type { Dice } from "../dice.ts";
import { type CallBook, createCallBook } from "./call-book.ts";
import { liveFleet, openFleet, SELLERS_PER_GUILD } from "./fleet.ts";
import { createModelDiscord } from "./model-discord.ts";
import { createModelService } from "./model-service.ts";
import { asRoute } from "../../support/samples.ts";

const PAGE_SIZE = 20;
const guildOf = (seller: number): string => `g${Math.floor(seller / SELLERS_PER_GUILD)}`;
/** Enough for the last sale's notice. */
const QUIET_END_MS = 30 * MINUTE;

export interface SalesDayPlan {
  readonly seed: number;
  readonly sellers: number;
  readonly hours: number;
  /** Sellers, the first ones, who sold on the day before and sell on this one. */
  readonly selling: number;
  /** Single sales of each of them in a day. */
  readonly salesADay: number;
  /** Bursts of 200 sales in a minute, each of one of them. */
  readonly bursts: number;
  /** Sellers, the first ones, who agreed to notices. */
  readonly consenting: number;
  /** Whether the service calls an address of each consenting seller after each sale. */
  readonly withCalls?: boolean;
  /** Two processes instead of one; one of them is stopped and started in between. */
  readonly restarts?: boolean;
}

interface FleetSale {
  readonly id: string;
  readonly kind: "single" | "burst";
  readonly atMs: number;
}

export interface SalesDayRecord {
  readonly startMs: number;
  readonly endMs: number;
  readonly calls: CallBook;
  readonly made: number;
  readonly told: number;
  /** Seconds from each single sale, and from each sale of a burst, to the accepted post that tells it. */
  readonly delays: Readonly<Record<"single" | "burst", readonly number[]>>;
  /** Sums of all sales and of all told ones, in centavos. */
  readonly madeCents: number;
  readonly toldCents: number;
  readonly errors: readonly unknown[];
  readonly cpuSeconds: number;
}

export const allDelays = ({ delays }: Pick<SalesDayRecord, "delays">): readonly number[] => [
  ...delays.single,
  ...delays.burst,
];

const drawSales = (dice: Dice, plan: SalesDayPlan, startMs: number, endMs: number) => {
  const sales = new Map<number, FleetSale[]>();
  let count = 0;
  const add = (seller: number, atMs: number, kind: FleetSale["kind"] = "single"): void => {
    const own = sales.get(seller) ?? [];
    own.push({ id: `S${String(count++).padStart(7, "0")}`, kind, atMs });
    sales.set(seller, own);
  };
  const lastMs = endMs - QUIET_END_MS;
  const firstMs = startMs + 20 * MINUTE;
  for (let seller = 0; seller < plan.selling; seller++) {
    // Sold on the day before, so that the account is not an idle one.
    add(seller, startMs - dice.between(HOUR, 5 * HOUR));
    const singles = Math.round((plan.salesADay * plan.hours) / 24);
    for (let each = 0; each < singles; each++) add(seller, dice.between(firstMs, lastMs));
  }
  for (let burst = 0; burst < plan.bursts; burst++) {
    const [seller, fromMs] = [dice.between(0, plan.selling - 1), dice.between(firstMs, lastMs)];
    for (let each = 0; each < 200; each++) add(seller, fromMs + dice.between(0, MINUTE), "burst");
  }
  for (const own of sales.values()) own.sort((one, other) => other.atMs - one.atMs);
  return sales;
};

/** From a sale to the service's call about it. */
const CALLED_AFTER_MS = [50, 500] as const;

/** Gives each of the first sellers an address. @returns their secrets */
const registerCalls = async (
  { dice, stores, since }: Awaited<ReturnType<typeof openFleet>>,
  sellers: number,
): Promise<readonly string[]> => {
  const tokens: string[] = [];
  for (let seller = 0; seller < sellers; seller++) {
    const account = await stores.accounts.find(guildOf(seller), `u${seller}`);
    if (account === undefined) throw new Error("The seller is not connected");
    const { token, secretHash } = newSecret(dice, stores.vault.webhook);
    await stores.webhooks.make(account, secretHash, since);
    tokens.push(token);
  }
  return tokens;
};

const AMOUNT = 10;
const iso = (ms: number): string => new Date(ms).toISOString();

const pageBody = (own: readonly FleetSale[], nowMs: number, path: string): object => {
  const page = Number(/page=(\d+)/.exec(path)?.[1] ?? 1);
  const there = own.filter(({ atMs }) => atMs <= nowMs);
  const rows = there.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(({ id, atMs }) => ({
    txid: id,
    amount: AMOUNT,
    netAmount: 9.4,
    type: "payment",
    status: "approved",
    metadata: { description: id },
    createdAt: iso(atMs),
    updatedAt: iso(atMs),
  }));
  const totalPages = Math.max(1, Math.ceil(there.length / PAGE_SIZE));
  return { success: true, transactions: rows, pagination: { page, limit: PAGE_SIZE, totalPages } };
};

const COUNTED = /\*\*([\d.]+) vendas?\*\*/;

/** A day of a fleet whose sales are told: the real jobs and stores, between models of the service and of Discord. */
export const liveSalesDay = async (plan: SalesDayPlan): Promise<SalesDayRecord> => {
  const fleet = await openFleet(plan);
  const { dice, time, startMs, endMs, since, stores } = fleet;
  for (let guild = 0; guild * SELLERS_PER_GUILD < plan.sellers; guild++) {
    const fixed = { guildId: `g${guild}`, active: true, locale: "pt-BR", updatedBy: "u" } as const;
    const route = { ...fixed, channelId: `sales-${guild}`, minimum: cents(0) };
    await stores.saleRoutes.save(...asRoute(route), since);
  }
  for (let seller = 0; seller < plan.consenting; seller++) {
    const guildId = guildOf(seller);
    const choice = seller % 2 === 0 ? "channel" : "direct";
    await stores.saleRoutes.choose(guildId, `u${seller}`, choice, time.clock.now(), "pt-BR");
  }
  const tokens = plan.withCalls === true ? await registerCalls(fleet, plan.consenting) : [];
  const sales = drawSales(dice, plan, startMs, endMs);
  const calls = createCallBook();
  const untold = new Map<number, FleetSale[]>();
  const delays: Record<FleetSale["kind"], number[]> = { single: [], burst: [] };
  let [told, toldCents] = [0, 0];
  const call = createModelService({
    time,
    dice,
    medsOf: () => [],
    outages: [],
    reportsHang: [],
    salesPage: (seller, path) => pageBody(sales.get(seller) ?? [], time.nowMs(), path),
    onCall: (kind, key) => {
      calls.note(kind, key, time.nowMs());
    },
  });
  for (const [seller, own] of sales)
    untold.set(
      seller,
      own.filter(({ atMs }) => atMs >= startMs).toSorted((a, b) => a.atMs - b.atMs),
    );
  /** A post tells the seller's oldest untold sales: their number and their sum stand in it. */
  const noteTold = (seller: number, count: number, sum: number): void => {
    const taken = untold.get(seller)?.splice(0, count) ?? [];
    for (const { kind, atMs } of taken) delays[kind].push((time.nowMs() - atMs) / 1000);
    told += count;
    toldCents += sum;
  };
  const sumIn = (text: string): number => {
    const [, whole = "0", part = "0"] = /\*\*R\$\u00a0([\d.]+),(\d\d)\*\*/.exec(text) ?? [];
    return Number(whole.replaceAll(".", "")) * 100 + Number(part);
  };
  const discord = createModelDiscord({
    time,
    dice,
    outages: [],
    onPosted: (text, channelId) => {
      const isSale = /"description":"(Venda[ :]|\*\*[\d.]+ vendas?\*\*)/.test(text);
      const person = /<@u(\d+)>/.exec(text)?.[1] ?? /^direct-u(\d+)$/.exec(channelId)?.[1];
      if (!isSale || person === undefined) return;
      const count = Number((COUNTED.exec(text)?.[1] ?? "1").replaceAll(".", ""));
      noteTold(Number(person), count, sumIn(text));
    },
  });
  const { withCalls } = plan;
  const { errors, cpuSeconds } = await liveFleet(fleet, { call, discord, withCalls }, (start) => {
    const first = start();
    for (const [seller, token] of tokens.entries())
      for (const { atMs } of untold.get(seller) ?? [])
        time.after(atMs - startMs + dice.between(...CALLED_AFTER_MS), () => first.receive(token));
    if (plan.restarts !== true) return;
    void time.after(30 * MINUTE, () => void start());
    void time.after(60 * MINUTE, () => void first.stop());
    void time.after(70 * MINUTE, () => void start());
  });
  const made = [...sales.entries()]
    .filter(([seller]) => seller < plan.consenting)
    .flatMap(([, own]) => own.filter(({ atMs }) => atMs >= startMs)).length;
  return {
    startMs,
    endMs,
    calls,
    made,
    told,
    delays,
    madeCents: made * AMOUNT * 100,
    toldCents,
    errors,
    cpuSeconds,
  };
};
