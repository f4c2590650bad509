import { onTestFinished } from "vitest";
import type { WithdrawJournal } from "#src/withdrawals/withdraw-journal.store.ts";
import type { WithdrawOp } from "#src/withdrawals/withdraw-op.ts";
import type { WithdrawAnswer } from "#src/withdrawals/withdrawal.ts";
import { createMoney, moneyNeeds } from "#src/bot-money.ts";
import { createContestedTxids } from "#src/disputes/contested-sales.ts";
import type { Confirmation, WithdrawStatus } from "#src/withdrawals/withdraw-facts.ts";
import type { Actor, MoneyNeeds, WithdrawOrder } from "#src/withdrawals/money-services.service.ts";
import { storedInstant } from "#src/database/columns.ts";
import { UserError } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import type { Clock } from "#src/shared/time.ts";
import type { Secret } from "#src/shared/secret.ts";
import type { Stores } from "#src/stores.ts";
import {
  type databases,
  openTestDatabase,
  quietLog,
  standingClock,
  testRandom,
} from "../support/databases.ts";
import { anaKey } from "../database/builders.ts";
import { openTestStores } from "../database/use-store.ts";
import { createPlainWallet, LOST } from "./plain-wallet.ts";

export const GUILD = "900000000000000001";
const CHANNEL = "910000000000000001";
export const ANA = "920000000000000001";
export const BRUNO = "920000000000000002";
export const KEY = "bruno@example.com";

export type MoneyStage = Awaited<ReturnType<typeof openMoneyStage>>;

export const actor = (changes: Partial<Actor> = {}): Actor => ({
  guildId: GUILD,
  channelId: CHANNEL,
  userId: ANA,
  locale: "pt-BR",
  ...changes,
});

export const order = (changes: Partial<WithdrawOrder> = {}): WithdrawOrder => ({
  actor: actor(),
  what: { kind: "own", amount: cents(5_000) },
  pixKey: KEY,
  turbo: true,
  ...changes,
});

/** The reason of a refusal; any other error is returned itself. */
export const refusal = async (work: Promise<unknown>): Promise<unknown> => {
  const outcome = await work.then(
    () => "was not refused",
    (error: unknown) => error,
  );
  return outcome instanceof UserError ? outcome.reason : outcome;
};

/** Connects Ana with her key, or as given, without consent to reports. */
export const connect = async (
  { stores, clock }: { readonly stores: Stores; readonly clock: Clock },
  { ownerId = ANA, guildId = GUILD, ownerVerified = true } = {},
  apiKey = anaKey,
  userId = ownerId,
) => {
  const consent = { reportConsent: false, reportConsentAt: undefined, connectedAt: clock.now() };
  const account = { guildId, ownerId, connectedBy: ownerId, ownerVerified, ...consent };
  return await stores.accounts.save(account, apiKey, userId);
};

/** Removes Ana's connection, or as given. */
export const disconnect = (
  { stores, clock }: MoneyStage,
  { ownerId = ANA, guildId = GUILD } = {},
): Promise<unknown> => stores.accounts.remove(guildId, ownerId, ownerId, clock.now());

/** That journal, where each step is for `hook` to take, or not. */
export const atStep = (
  journal: WithdrawJournal,
  hook: (
    step: Parameters<WithdrawJournal["move"]>[1],
    take: () => ReturnType<WithdrawJournal["move"]>,
    op: WithdrawOp,
  ) => ReturnType<WithdrawJournal["move"]>,
): WithdrawJournal => ({
  ...journal,
  move: (op, step, at) => hook(step, () => journal.move(op, step, at), op),
});

/** The wallet; `work` is done each time before the list of withdrawals is read. */
export const beforeList = (
  { wallet }: MoneyStage,
  work: () => Promise<unknown>,
): MoneyStage["wallet"] => ({
  ...wallet,
  withdrawals: async (...given) => {
    await work();
    return await wallet.withdrawals(...given);
  },
});

/** Has the list write each txid in small letters from now on. */
export const listInSmall = (stage: MoneyStage): void => {
  const { withdrawals, withdrawal } = stage.wallet;
  const other: Pick<typeof stage.wallet, "withdrawals" | "withdrawal"> = {
    withdrawals: async (...given) => {
      const { items, ...page } = await withdrawals(...given);
      return { ...page, items: items.map((row) => ({ ...row, txid: row.txid.toLowerCase() })) };
    },
    withdrawal: async (key, txid, ...rest) => ({
      ...(await withdrawal(key, txid.toUpperCase(), ...rest)),
      txid,
    }),
  };
  Object.assign(stage.wallet, other);
};

/** Looks for withdrawals of Ana's account that the bot did not begin. */
export const look = async ({ stores, money }: MoneyStage): Promise<void> => {
  const account = await stores.accounts.find(GUILD, ANA);
  if (account !== undefined) await money.watchExternal(account, anaKey);
};

/** Unsent messages about withdrawals that no operation made, as `txid|owner`, sorted. */
export const ghostsOf = async (stage: MoneyStage): Promise<readonly string[]> =>
  (await stage.messages())
    .flatMap((message) => /^ghost\|.*\|(\w+\|\d+) due$/.exec(message)?.[1] ?? [])
    .toSorted();

/** The texts of all messages. */
export const textsOf = async ({ db }: MoneyStage): Promise<string> =>
  (await db.selectFrom("outbox").select("payload").execute()).map(({ payload }) => payload).join();

/**
 * Money on a real database, between a scripted wallet and an outbox. It is Friday at noon in Brasília; Ana is
 * connected, and by default Bruno's key was used before.
 */
export const openMoneyStage = async (keyUsed = true, url = "sqlite::memory:") => {
  const clock = standingClock("2026-11-20T15:00Z");
  const database = await openTestDatabase(url, clock);
  onTestFinished(database.close);
  const stores = await openTestStores(database);
  const plain = createPlainWallet(clock);
  /** Statuses shown by edits of private replies. */
  const shown: WithdrawStatus[] = [];
  const needs = moneyNeeds(stores, {
    clock,
    monotonicMs: () => clock.now().epochMilliseconds,
    random: testRandom,
    log: quietLog,
    withdrawEnabled: true,
    refundEnabled: true,
    wallet: plain.wallet,
    show: async (status) => {
      shown.push(status);
      return false;
    },
    // Disables the minimum reading time; its own tests set it.
    readingMs: 0,
    pinRounds: 2,
    wake: () => {},
  });
  await connect({ stores, clock });
  if (keyUsed) {
    const key = { hash: needs.hashPixKey(KEY), type: "email", masked: "b***@e***" } as const;
    await stores.pixKeys.noteSeen(ANA, key, clock.now());
    await stores.pixKeys.markUsed(ANA, key.hash, clock.now());
  }
  const money = createMoney(needs);
  const check = async (by = money): Promise<Temporal.Instant | undefined> => {
    await by.sweep(false);
    return await by.checkDue(new AbortController().signal);
  };
  return Object.assign(plain, {
    clock,
    stores,
    db: database.db,
    database,
    needs,
    money,
    shown,
    /** Another process on the same database, with these dependencies changed. */
    process: (changes: Partial<MoneyNeeds> = {}) =>
      createMoney({ ...needs, contestedTxids: createContestedTxids(), ...changes }),
    op: async (id: string): Promise<WithdrawOp> => {
      const op = await stores.journal.find(id);
      if (op === undefined) throw new Error(`There is no ${id}`);
      return op;
    },
    /** Direct messages as `key state`. */
    messages: async (): Promise<readonly string[]> => {
      const rows = await database.db
        .selectFrom("outbox")
        .selectAll()
        .orderBy("created_at")
        .orderBy("dedupe_key")
        .execute();
      return rows.map(({ dedupe_key, state }) => `${dedupe_key} ${state}`);
    },
    check,
    follow: async (ms: number, stepMs = 60_000, by = money): Promise<void> => {
      for (let passed = 0; passed < ms; passed += stepMs) {
        clock.moveBy(Math.min(stepMs, ms - passed));
        await check(by);
      }
    },
  });
};

/** The same on a database of that kind. */
export const openMoneyStageOn = async (kind: (typeof databases)[number]): Promise<MoneyStage> => {
  const { url, drop } = await kind.create();
  onTestFinished(drop);
  return await openMoneyStage(true, url);
};

/** The rows that a start writes when it finds an older copy. */
export const restore = async (
  { db, clock }: MoneyStage,
  lastEventAt: Temporal.Instant | null,
  cause: "restored" | "gap" = "restored",
  aliveAt: Temporal.Instant | null = null,
): Promise<void> => {
  const rows = await db.selectFrom("database_restore").select("number").execute();
  await db
    .insertInto("database_restore")
    .values({
      number: rows.length + 1,
      cause,
      noticed_at: storedInstant(clock.now()),
      last_event_at: lastEventAt && storedInstant(lastEventAt),
      alive_at: aliveAt && storedInstant(aliveAt),
    })
    .execute();
};

const isConfirmation = (answer: { readonly kind: string }): answer is Confirmation =>
  answer.kind === "confirmation";

/** The answer, which has to be a confirmation. */
export const confirmationIn = (answer: { readonly kind: string }): Confirmation => {
  if (!isConfirmation(answer)) throw new Error(`It was ${answer.kind}`);
  return answer;
};

export const prepared = async (
  { money }: Pick<MoneyStage, "money">,
  changes: Partial<WithdrawOrder> = {},
): Promise<Confirmation> => {
  return confirmationIn(await money.withdrawals.prepare(order(changes)));
};

export const confirmed = async (
  { money }: Pick<MoneyStage, "money">,
  { token }: Pick<Confirmation, "token">,
  pin?: Secret,
): Promise<WithdrawStatus> => {
  const next = await money.withdrawals.confirm(actor(), token, pin);
  return next.kind === "status" ? next : await confirmed({ money }, next, pin);
};

export const withdrawn = async (
  stage: Pick<MoneyStage, "money">,
  changes: Partial<WithdrawOrder> = {},
): Promise<WithdrawStatus> => await confirmed(stage, await prepared(stage, changes));

/** An order of Ana's with that answer, carried out or not. */
export const answered = async (
  stage: MoneyStage,
  answer: WithdrawAnswer,
  works: boolean,
  changes: Partial<WithdrawOrder> = {},
): Promise<WithdrawOp> => {
  Object.assign(stage, { answer, works });
  const { op } = await withdrawn(stage, changes);
  Object.assign(stage, { answer: undefined, works: true });
  return op;
};

/** The same, whose answer is lost. */
export const lostOne = (
  stage: MoneyStage,
  works: boolean,
  changes?: Partial<WithdrawOrder>,
): Promise<WithdrawOp> => answered(stage, LOST, works, changes);

/** A withdrawal of 30 hours ago, in a list that was seen to show open ones. */
export const addOldOne = async ({ stores, clock, add }: MoneyStage): Promise<void> => {
  await stores.openListings.note(stores.vault.hashWalletUser(ANA), "turbo");
  const requestedAt = clock.now().subtract({ hours: 30 });
  add({ txid: "OLD", status: "completed", requestedAt });
};

/** A person's answer to the question what became of an operation, Ana's by default. */
export const decided = (
  { money }: Pick<MoneyStage, "money">,
  opId: string,
  happened: boolean,
  by = actor(),
): Promise<WithdrawStatus> =>
  money.withdrawals.decide({ actor: by, opId, typedCode: opId, happened });
