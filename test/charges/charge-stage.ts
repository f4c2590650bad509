import { onTestFinished } from "vitest";
import { type Charge, chargeNoticeKey, type ChargeStatus } from "#src/charges/charge.ts";
import { createFollowCharges } from "#src/charges/charges.job.ts";
import { createCharges } from "#src/charges/charges.service.ts";
import type { EditPost } from "#src/delivery/delivery.ts";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import type { SlidingLimit } from "#src/shared/sliding-limit.ts";
import { cents } from "#src/shared/money.ts";
import type { ListedTransaction, Transaction } from "#src/transactions/transaction.ts";
import { ANA, anaKey, savedAccount } from "../database/builders.ts";
import { openTestStores } from "../database/use-store.ts";
import { openTestDatabase, quietLog, standingClock, testRandom } from "../support/databases.ts";
import { NOW } from "../support/samples.ts";
import { CODE, sampleCharge } from "./charge-samples.ts";

/** A limit of failed posts for those who do not look at it. */
export const unlimited: SlidingLimit = { waitMs: () => 0, take: () => {}, size: () => 0 };

const failing = (kind: WalletErrorKind) => (): never => {
  throw new WalletError({ kind, method: "GET", route: "/v1/x" });
};

export const unavailable = failing("unavailable");
export const malformed = failing("malformed");
export const unauthorized = failing("unauthorized");
export const missing = failing("not_found");

export const payment = (status: string, given: Partial<Transaction> = {}): Transaction => ({
  txid: "c5d1f08e27ab",
  amount: cents(7_990),
  fee: cents(479),
  net: cents(7_511),
  type: "payment",
  status,
  modality: "link",
  redirectUrl: undefined,
  providerId: undefined,
  description: "Plano VIP mensal",
  payer: undefined,
  withdrawal: undefined,
  createdAt: NOW,
  updatedAt: NOW.add({ minutes: 1 }),
  ...given,
});

export const listed = (txid: string): ListedTransaction => ({
  txid,
  amount: cents(7_990),
  net: undefined,
  type: "payment",
  status: "pending",
  description: "Plano VIP mensal",
  createdAt: NOW,
  updatedAt: undefined,
});

export const hint = (
  status: string | undefined,
  given: Partial<ChargeStatus> = {},
): ChargeStatus => ({
  status,
  expiresAt: undefined,
  code: undefined,
  ...given,
});

/** The real stores with one connection and the given charges; the service and Discord are functions. */
export const setUp = async (...given: readonly Partial<Charge>[]) => {
  const clock = standingClock(NOW.toString());
  const database = await openTestDatabase("sqlite::memory:", clock);
  onTestFinished(database.close);
  const stores = await openTestStores(database);
  const { accounts, charges, outbox } = stores;
  const account = await accounts.save(savedAccount(), anaKey, ANA);
  const made = given.map((each, index) =>
    sampleCharge({
      id: `charge${index}`,
      accountId: account.id,
      ownerId: account.ownerId,
      ...each,
    }),
  );
  for (const charge of made) await charges.begin(charge, `i${charge.id}`);
  const service = {
    /** Before each answer about a txid. */
    busy: async (_txid: string): Promise<void> => {},
    status: (_txid: string): ChargeStatus => hint("pending"),
    detail: (txid: string): Transaction => payment("pending", { txid }),
    list: (): readonly ListedTransaction[] => [],
    next: undefined as string | undefined,
    isCut: false,
    unnamed: 0,
    unnamedRows: undefined as readonly ListedTransaction[] | undefined,
    /** Whether no request for a charge reaches it. */
    isAway: false,
    /** Keys that it accepts no more. */
    refused: new Set<string>(),
    /** The page of a cursor. */
    further: (_cursor: string): readonly ListedTransaction[] => unavailable(),
  };
  const reads: string[] = [];
  let live = false;
  const shown: string[] = [];
  const edits: string[] = [];
  const discord = {
    edit: (_channelId: string): Awaited<ReturnType<EditPost>> => "edited",
  };
  const follow = createFollowCharges({
    clock,
    log: quietLog,
    charges,
    accounts,
    outbox,
    wallet: {
      chargeStatus: async ({ apiKey }, txid, _wanted, priority) => {
        if (service.refused.has(apiKey.reveal())) unauthorized();
        reads.push(`status ${txid} ${priority}`);
        await service.busy(txid);
        return service.status(txid);
      },
      transaction: async ({ apiKey }, txid) => {
        if (service.refused.has(apiKey.reveal())) unauthorized();
        reads.push(`detail ${txid}`);
        await service.busy(txid);
        return service.detail(txid);
      },
      transactions: async (_key, cursor) =>
        cursor === undefined
          ? {
              items: service.list(),
              unnamed: service.unnamed,
              unnamedRows: service.unnamedRows,
              next: service.next,
              isCut: service.isCut,
            }
          : {
              items: service.further(cursor),
              unnamed: 0,
              next: `${cursor}+`,
            },
    },
    edit: async (channelId, messageId) => {
      edits.push(messageId);
      return discord.edit(channelId);
    },
    show: async (name) => {
      shown.push(name);
      return live;
    },
    onOwed: () => {},
  });
  const { signal } = new AbortController();
  const needs = {
    clock,
    log: quietLog,
    random: testRandom,
    accounts,
    charges,
    outbox,
    failedPosts: unlimited,
    cardOf: () => ({ content: "" }),
    foundNotice: () => ({ content: "" }),
    confirmPresence: async () => {},
    wake: () => {},
  };
  /** Asks for a charge; `during` happens while the request is on its way. */
  const ask = async (during: (charge: Charge) => Promise<void>, expiresAt?: Temporal.Instant) => {
    const wallet = {
      createCharge: async () => {
        const last = await database.db
          .selectFrom("charge")
          .select("id")
          .where("state", "=", "creating")
          .executeTakeFirstOrThrow();
        const charge = await charges.find(last.id);
        if (charge !== undefined) await during(charge);
        if (service.isAway)
          return {
            state: "not_sent",
            reason: "unreachable",
            errorCode: "ECONNREFUSED",
            retryAfterMs: undefined,
          } as const;
        return {
          state: "accepted",
          httpStatus: 200,
          requestId: undefined,
          value: {
            txid: "c5d1f08e27ab",
            code: CODE,
            fee: cents(479),
            net: undefined,
            expiresAt,
            problem: undefined,
          },
        } as const;
      },
    };
    const { guildId, ownerId: userId } = account;
    const charger = {
      guildId,
      userId,
      channelId: "1",
      interactionId: "i1",
      locale: "pt-BR",
      guildLocale: "en-US",
    } as const;
    const { charge } = await createCharges({ ...needs, wallet }).create(charger, {
      amount: cents(7_990),
      description: "Plano VIP mensal",
    });
    return { shown: charge, kept: await charges.find(charge.id) };
  };
  return {
    ask,
    /** Discord took the answer that showed the charge. */
    answered: createCharges({ ...needs, wallet: { createCharge: unauthorized } }).answered,
    charges,
    account,
    service,
    reads,
    shown,
    /** Messages of the edits that were tried, and Discord's answers to them. */
    edits,
    discord,
    clock,
    accounts,
    stayLive: () => {
      live = true;
    },
    follow: () => follow(signal),
    /** Looks when it is due, `times` over. */
    look: async (times = 1) => {
      for (let time = 0; time < times; time++) {
        const next = await charges.nextCheckAt();
        if (next === undefined) return;
        const waitMs = next.epochMilliseconds - clock.now().epochMilliseconds;
        clock.moveBy(Math.max(0, waitMs));
        await follow(signal);
      }
    },
    charge: async (index = 0) => {
      const charge = await charges.find(`charge${index}`);
      if (charge === undefined) throw new Error("The charge is gone");
      return charge;
    },
    told: (about: "end" | "late" | "found", index = 0) =>
      outbox.state(chargeNoticeKey({ id: `charge${index}` }, about)),
  };
};
